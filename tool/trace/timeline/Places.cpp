// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/timeline/Places.h"

#include "trace/timeline/PythonCode.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Path.h"

using namespace autoprof;
using namespace autoprof::trace;
using llvm::StringRef;

static const Site &siteAt(const Timeline &T, uint32_t Index) {
  static const Site Nowhere;
  return Index == None ? Nowhere : T.Sites[Index];
}

std::string trace::place(const Timeline &T, uint32_t Site) {
  return place(siteAt(T, Site));
}

std::string trace::place(const Site &S) {
  return S.Label.empty() ? place(S, PlaceDetails()) : S.Label;
}

/// "train.py:88".
static std::string lineText(StringRef File, uint32_t Line) {
  return Line ? (File + ":" + llvm::Twine(Line)).str() : File.str();
}

std::string trace::place(const Site &S, const PlaceDetails &More) {
  if (S.File.empty())
    return "(no source line)";
  StringRef Folder = llvm::sys::path::parent_path(S.File);
  for (unsigned I = 0; I < More.Folders; ++I)
    Folder = llvm::sys::path::parent_path(Folder);
  StringRef File = S.File;
  if (More.Folders)
    File = File.drop_front(Folder.size()).ltrim('/');
  else
    File = llvm::sys::path::filename(File);
  std::string Text = lineText(File, S.Line);
  if (More.Column && S.Column)
    Text += ":" + std::to_string(S.Column);
  if (More.Function && !S.Function.empty())
    Text += " " + S.Function;
  else if (ownerOf(S.File) == CodeOwner::Framework)
    Text += " " + S.Function.substr(S.Function.rfind('.') + 1);
  if (const auto &From = S.CalledFrom)
    Text += " (" + lineText(llvm::sys::path::filename(From->File), From->Line) +
            ")";
  return Text;
}

std::string trace::placeAndCall(const Timeline &T, uint32_t Site,
                                StringRef Call) {
  return placeAndCall(siteAt(T, Site), Call);
}

std::string trace::placeAndCall(const Site &S, StringRef Call) {
  bool IsNamed = S.isOperator() && S.File.empty();
  const std::string Inside = S.Expression.empty() ? "" : S.Expression + " > ";
  return IsNamed ? Call.str() : place(S) + " " + Inside + Call.str();
}

StringRef trace::plainName(StringRef Function) {
  constexpr llvm::StringLiteral Unnamed = "(anonymous namespace)";
  size_t End = Function.find_first_of("<(");
  while (Function.substr(End).starts_with(Unnamed))
    End = Function.find_first_of("<(", End + 1);
  Function = Function.take_front(End);
  return Function.substr(Function.find_last_of(": ") + 1); // npos + 1 is 0.
}
