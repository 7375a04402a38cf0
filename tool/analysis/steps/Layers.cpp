// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/steps/Layers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>
#include <optional>

using namespace autoprof;
using llvm::StringRef;
using trace::HostEvents;
using trace::Timeline;

namespace {

/// A number in a name that may be a layer's.
struct Number {
  std::string Key;  ///< The name without it.
  std::string Path; ///< "encoder.block.16".
  int64_t Value = 0;
};

bool isPartOfPath(char C) { return llvm::isAlnum(C) || C == '_' || C == '.'; }

/// The letters at the end.
StringRef lastWord(StringRef Text) {
  return Text.take_back(
      Text.size() -
      Text.find_last_not_of(
          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") -
      1);
}

/// Whether a number after this text may be a layer's.
bool mayNumberLayers(StringRef Before) {
  const bool IsOfPath = Before.ends_with(".");
  const std::string Word = lastWord(Before.rtrim(" ._#:/-")).lower();
  if (Word.empty())
    return false;
  for (StringRef Layer : {"layer", "layers", "block", "blocks"})
    if (StringRef(Word).ends_with(Layer))
      return true;
  for (StringRef Other : {"step", "steps", "iter", "iteration", "batch",
                          "batches", "epoch", "frame", "sample", "request"})
    if (StringRef(Word).ends_with(Other))
      return false;
  return IsOfPath;
}

std::vector<Number> numbersIn(StringRef Name) {
  std::vector<Number> Result;
  for (size_t End, I = 0; I < Name.size(); I = End) {
    End = I + 1;
    if (!llvm::isDigit(Name[I]))
      continue;
    while (End < Name.size() && llvm::isDigit(Name[End]))
      ++End;
    const StringRef Before = Name.take_front(I);
    Number N;
    if ((End < Name.size() && llvm::isAlpha(Name[End])) ||
        !mayNumberLayers(Before) ||
        Name.slice(I, End).getAsInteger(10, N.Value))
      continue;
    const StringRef Head = Before.rtrim(" #:/-");
    size_t From = Head.size();
    while (From > 0 && isPartOfPath(Head[From - 1]))
      --From;
    N.Key = (Before + StringRef("\0", 1) + Name.drop_front(End)).str();
    N.Path = Name.slice(From, End).str();
    Result.push_back(std::move(N));
  }
  return Result;
}

/// What one name has in the parts, without its number.
struct Series {
  std::vector<const Number *> OfPart; ///< The first in each part, or null.
};

/// Pairs of successive parts whose numbers differ by the same amount, which is
/// not 0: the largest such group.
size_t countRises(const Series &S) {
  std::map<int64_t, size_t> Count;
  size_t Most = 0;
  for (size_t I = 1; I < S.OfPart.size(); ++I) {
    const Number *A = S.OfPart[I - 1], *B = S.OfPart[I];
    if (A && B && A->Value != B->Value)
      Most = std::max(Most, ++Count[B->Value - A->Value]);
  }
  return Most;
}

} // namespace

std::string analysis::findLayers(const Timeline &T,
                                 llvm::ArrayRef<trace::Window> Parts) {
  const HostEvents &H = T.Host;
  std::vector<std::optional<std::vector<Number>>> OfName(T.Strings.size());
  std::map<StringRef, Series> All;
  size_t Part = 0;
  for (size_t I = 0; I < H.size(); ++I) {
    while (Part < Parts.size() && Parts[Part].End <= H.Start[I])
      ++Part;
    if (Part == Parts.size())
      break;
    if (H.isCall(I) || H.Start[I] < Parts[Part].Start)
      continue;
    std::optional<std::vector<Number>> &Numbers = OfName[H.Name[I]];
    if (!Numbers)
      Numbers = numbersIn(T.Strings[H.Name[I]]);
    for (const Number &N : *Numbers) {
      Series &S = All[N.Key];
      S.OfPart.resize(Parts.size());
      if (!S.OfPart[Part])
        S.OfPart[Part] = &N;
    }
  }
  // A model of four layers begins again with every fourth.
  size_t Most = Parts.size() * 3 / 5;
  const Series *Best = nullptr;
  for (const auto &[Key, S] : All)
    if (const size_t Rises = countRises(S); Rises > Most) {
      Most = Rises;
      Best = &S;
    }
  if (!Best)
    return "";
  auto IsKnown = [](const Number *N) { return N != nullptr; };
  const Number *First = *llvm::find_if(Best->OfPart, IsKnown),
               *Last = *llvm::find_if(llvm::reverse(Best->OfPart), IsKnown);
  return First->Path + " to " + Last->Path;
}
