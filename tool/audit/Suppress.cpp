// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Suppress.h"

#include "audit/Finding.h"
#include "audit/Selection.h"
#include "source/project/Comments.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using llvm::StringRef;

namespace autoprof::audit {

namespace {

/// The rules in parentheses after a marker; all rules if there are none.
std::string rulesAfter(StringRef Rest) {
  if (!Rest.consume_front("("))
    return "*";
  return Rest.take_until([](char C) { return C == ')'; }).str();
}

/// "the result is needed" of `(rule): the result is needed`, on its line.
std::string reasonAfter(StringRef Rest) {
  if (Rest.starts_with("("))
    Rest = Rest.drop_until([](char C) { return C == ')'; }).drop_front(1);
  Rest = Rest.take_until([](char C) { return C == '\n' || C == '\r'; });
  Rest = Rest.take_front(Rest.find("*/"));
  return Rest.ltrim(" \t:").rtrim().str();
}

constexpr StringRef Marker = "autoprof:allow";

struct Mark {
  std::string Rules; ///< Globs.
  unsigned Line;
  std::string Reason;
};

std::vector<Mark> marks(const source::Comment &C) {
  std::vector<Mark> Found;
  for (size_t Pos = C.Text.find(Marker); Pos != StringRef::npos;
       Pos = C.Text.find(Marker, Pos + 1)) {
    StringRef Rest = C.Text.substr(Pos + Marker.size());
    if (Rest.empty() || !llvm::isAlpha(Rest.front()))
      Found.push_back({rulesAfter(Rest), C.lineAt(Pos), reasonAfter(Rest)});
  }
  return Found;
}

} // namespace

const Suppressions::Marks &Suppressions::marksOf(const std::string &File) {
  auto [It, New] = Files.try_emplace(File);
  Marks &Result = It->second;
  if (!New)
    return Result;
  auto Buffer = llvm::MemoryBuffer::getFile(File);
  if (!Buffer || !(*Buffer)->getBuffer().contains(Marker))
    return Result;
  const StringRef Text = (*Buffer)->getBuffer();
  for (const source::Comment &C : source::readComments(Text))
    for (const Mark &M : marks(C)) {
      for (StringRef Name : audit::unknownRules(M.Rules))
        Result.Unknown.push_back({File, M.Line, Name.str(), nearestRule(Name)});
      const unsigned Last =
          C.CodeLine == M.Line ? M.Line : source::lastLineAfter(Text, C);
      Result.Regions.push_back(
          {M.Line, std::max(M.Line, Last), M.Rules, {M.Line, M.Reason}});
    }
  return Result;
}

llvm::ArrayRef<UnknownRule>
Suppressions::unknownRules(const std::string &File) {
  return marksOf(File).Unknown;
}

std::optional<SilencingComment> Suppressions::commentOn(const Finding &F) {
  for (const Region &R : marksOf(F.Location.File).Regions)
    if (R.First <= F.Location.Line && F.Location.Line <= R.Last &&
        NameGlobs(R.Rules).contains(F.Rule))
      return R.By;
  return std::nullopt;
}

} // namespace autoprof::audit
