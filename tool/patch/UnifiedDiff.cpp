// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "patch/UnifiedDiff.h"

#include "llvm/ADT/Twine.h"

using namespace autoprof;
using namespace autoprof::patch;
using llvm::StringRef;

/// Each with its newline; the last one may have none.
static std::vector<StringRef> linesOf(StringRef Text) {
  std::vector<StringRef> Result;
  while (!Text.empty()) {
    Result.push_back(Text.take_front(Text.find('\n') + 1));
    if (Result.back().empty())
      Result.back() = Text;
    Text = Text.drop_front(Result.back().size());
  }
  return Result;
}

std::string patch::edited(StringRef Text, const std::vector<LineEdit> &Edits) {
  const std::vector<StringRef> Lines = linesOf(Text);
  std::string Result;
  size_t At = 0;
  const auto KeepUntil = [&](size_t End) {
    for (; At < End; ++At)
      Result += Lines[At];
  };
  for (const LineEdit &E : Edits) {
    KeepUntil(E.First);
    Result += E.With;
    At = E.end();
  }
  KeepUntil(Lines.size());
  return Result;
}

std::string patch::unifiedDiff(StringRef Name, StringRef Text,
                               const std::vector<LineEdit> &Edits) {
  constexpr size_t Context = 3;
  const std::vector<StringRef> Old = linesOf(Text);
  std::string Result = ("--- a/" + Name + "\n+++ b/" + Name + "\n").str();
  size_t Moved = 0; // May wrap around, as sums do.
  for (size_t I = 0; I < Edits.size();) {
    const size_t Begin = Edits[I].First - std::min(Edits[I].First, Context);
    size_t At = Begin, Added = 0;
    std::string Body;
    const auto Put = [&](char Mark, StringRef Line) {
      Body += Mark + Line.str();
      if (!Line.ends_with("\n"))
        Body += "\n\\ No newline at end of file\n";
      Added += Mark != '-';
    };
    const auto PutUntil = [&](char Mark, size_t End) {
      for (; At < std::min(End, Old.size()); ++At)
        Put(Mark, Old[At]);
    };
    do {
      PutUntil(' ', Edits[I].First);
      PutUntil('-', Edits[I].end());
      for (StringRef Line : linesOf(Edits[I++].With))
        Put('+', Line);
    } while (I < Edits.size() && Edits[I].First <= At + 2 * Context);
    PutUntil(' ', At + Context);
    const auto Range = [](size_t First, size_t Count) {
      return std::to_string(First + (Count != 0)) + "," + std::to_string(Count);
    };
    Result += "@@ -" + Range(Begin, At - Begin) + " +" +
              Range(Begin + Moved, Added) + " @@\n" + Body;
    Moved += Added - (At - Begin);
  }
  return Result;
}
