// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/SiteTexts.h"

#include "report/SourceLines.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include <chrono>

using namespace autoprof;
using llvm::StringRef;

/// Longer ones are cut, in bytes.
constexpr size_t LongestExpression = 60;

/// Lines that have moved since then would give another expression.
static bool isAsRecorded(StringRef Path, const trace::Timeline &T) {
  llvm::sys::fs::file_status Status;
  if (!T.Info.Epoch || llvm::sys::fs::status(Path, Status))
    return false;
  const auto Changed = Status.getLastModificationTime().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Changed)
             .count() <= *T.Info.Epoch;
}

/// From `First` to `Last`, counted from 1; "" where the line has no such bytes.
static StringRef cut(StringRef Line, size_t First, size_t Last) {
  return First && First <= Last && Last <= Line.size()
             ? Line.slice(First - 1, Last)
             : StringRef();
}

/// On one line, and no longer than the limit; UTF-8 is not cut within a
/// character.
static std::string shorten(StringRef Text) {
  std::string Result;
  for (StringRef Rest = Text; !Rest.empty();) {
    auto [Word, Next] = llvm::getToken(Rest);
    if (!Word.empty())
      Result += (Result.empty() ? "" : " ") + Word.str();
    Rest = Next;
  }
  if (Result.size() <= LongestExpression)
    return Result;
  size_t Size = LongestExpression - 3;
  while (Size && (Result[Size] & 0xC0) == 0x80)
    --Size;
  return Result.substr(0, Size) + "...";
}

static std::string expressionOf(const trace::Site &S,
                                report::SourceLines &Source) {
  const StringRef First = Source.line(S.File, S.Line);
  if (S.EndLine == S.Line)
    return shorten(cut(First, S.Column, S.EndColumn));
  const StringRef Begin = cut(First, S.Column, First.size());
  const StringRef End = cut(Source.line(S.File, S.EndLine), 1, S.EndColumn);
  if (Begin.empty() || End.empty())
    return "";
  std::string Text = Begin.str();
  for (uint32_t N = S.Line + 1;
       N < S.EndLine && Text.size() <= LongestExpression; ++N)
    Text += " " + Source.line(S.File, N).trim().str();
  return shorten(Text + " " + End.trim().str());
}

void report::readExpressions(trace::Timeline &T) {
  SourceLines Source{/*FromTrace=*/true};
  llvm::StringMap<bool> AsRecorded;
  for (trace::Site &S : T.Sites) {
    const bool IsLine = S.Kind == trace::FrameKind;
    if (!S.Expression.empty() ||
        (!IsLine && (!S.EndLine || !S.Column || S.EndLine < S.Line)))
      continue;
    auto [It, IsNew] = AsRecorded.try_emplace(S.File);
    if (IsNew)
      It->second = isAsRecorded(S.File, T);
    if (It->second)
      S.Expression = IsLine ? shorten(Source.line(S.File, S.Line))
                            : expressionOf(S, Source);
  }
}
