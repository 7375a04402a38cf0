// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/SourceMarkup.h"

#include "report/Html.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace autoprof::report {

std::vector<Ink> Painter::paint(StringRef Line) {
  std::vector<Ink> Result(Line.size(), Ink::Code);
  const bool Directive = !InComment && Line.ltrim().starts_with("#");
  size_t I = 0;
  auto Take = [&](Ink Color, size_t Count) {
    for (; Count && I < Line.size(); --Count)
      Result[I++] = Color;
  };
  while (I < Line.size()) {
    StringRef Rest = Line.substr(I);
    if (InComment) {
      const size_t End = Rest.find("*/");
      InComment = End == StringRef::npos;
      Take(Ink::Comment, InComment ? Rest.size() : End + 2);
    } else if (Rest.starts_with("/*")) {
      Take(Ink::Comment, 2);
      InComment = true;
    } else if (Rest.starts_with("//")) {
      Take(Ink::Comment, Rest.size());
    } else if (Rest[0] == '"' ||
               (Rest[0] == '\'' && !(I && llvm::isAlnum(Line[I - 1])))) {
      // After a digit or letter, ' separates digits.
      size_t End = 1;
      while (End < Rest.size() && Rest[End] != Rest[0])
        End += Rest[End] == '\\' ? 2 : 1;
      Take(Ink::String, End + 1);
    } else {
      Take(Directive ? Ink::Directive : Ink::Code, 1);
    }
  }
  return Result;
}

/// The bytes of the name at a column: identifiers, `::` among them.
static size_t lengthOfName(StringRef Line, size_t Begin) {
  size_t End = Begin;
  while (End < Line.size() &&
         (llvm::isAlnum(Line[End]) || Line[End] == '_' || Line[End] == ':'))
    ++End;
  while (End > Begin && Line[End - 1] == ':')
    --End;
  if (End == Begin)
    for (++End; End < Line.size() && (Line[End] & 0xC0) == 0x80;)
      ++End; // one character
  return End - Begin;
}

/// UTF-8 is not cut within a character.
static StringRef shownPart(StringRef Line) {
  size_t Size = std::min(Line.size(), LongestLine);
  while (Size && Size < Line.size() && (Line[Size] & 0xC0) == 0x80)
    --Size;
  return Line.take_front(Size);
}

std::string markupLine(StringRef Line, llvm::ArrayRef<Ink> Inks,
                       llvm::ArrayRef<Mark> Marks) {
  static constexpr const char *Open[] = {"", "<i>", "<span class=\"q\">",
                                         "<span class=\"d\">"};
  static constexpr const char *Close[] = {"", "</i>", "</span>", "</span>"};
  const StringRef Shown = shownPart(Line);
  std::vector<const Mark *> Marked(Shown.size(), nullptr);
  for (const Mark &M : Marks)
    if (M.Column && M.Column <= Shown.size())
      for (size_t I = M.Column - 1,
                  Length = M.Length ? M.Length : lengthOfName(Shown, I),
                  End = std::min(I + Length, Shown.size());
           I < End; ++I)
        if (!Marked[I])
          Marked[I] = &M;

  std::string Result;
  for (size_t I = 0; I < Shown.size();) {
    size_t End = I + 1;
    while (End < Shown.size() && Inks[End] == Inks[I] &&
           Marked[End] == Marked[I])
      ++End;
    const auto Color = unsigned(Inks[I]);
    if (const Mark *M = Marked[I])
      Result += "<mark class=\"" + M->Class + "\" title=\"" +
                escapeHtml(M->Title) + "\">";
    Result += Open[Color] + escapeHtml(Shown.slice(I, End)) + Close[Color];
    if (Marked[I])
      Result += "</mark>";
    I = End;
  }
  if (Shown.size() < Line.size())
    Result += "<em> … " + std::to_string(Line.size() - Shown.size()) +
              " more bytes</em>";
  return Result;
}

} // namespace autoprof::report
