// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Suppress.h"

#include "audit/Filters.h"
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

struct Mark {
  std::string Rules; ///< Globs.
  unsigned Line;
};

/// Each `Marker` in a comment that no letter follows: NOLINT is not
/// NOLINTNEXTLINE.
std::vector<Mark> marks(const source::Comment &C, StringRef Marker) {
  std::vector<Mark> Found;
  for (size_t Pos = C.Text.find(Marker); Pos != StringRef::npos;
       Pos = C.Text.find(Marker, Pos + 1)) {
    StringRef Rest = C.Text.substr(Pos + Marker.size());
    if (Rest.empty() || !llvm::isAlpha(Rest.front()))
      Found.push_back({rulesAfter(Rest), C.lineAt(Pos)});
  }
  return Found;
}

} // namespace

const std::vector<Suppressions::Region> &
Suppressions::regions(const std::string &File) {
  auto [It, New] = Files.try_emplace(File);
  std::vector<Region> &Result = It->second;
  if (!New)
    return Result;
  auto Text = llvm::MemoryBuffer::getFile(File);
  if (!Text)
    return Result;
  std::vector<Region> Worklist;
  for (const source::Comment &C : source::readComments((*Text)->getBuffer())) {
    for (const Mark &M : marks(C, "NOLINT"))
      Result.push_back({M.Line, M.Line, M.Rules});
    for (const Mark &M : marks(C, "NOLINTNEXTLINE"))
      Result.push_back({M.Line + 1, M.Line + 1, M.Rules});
    for (const Mark &M : marks(C, "autoprof:allow"))
      Result.push_back(
          {M.Line, C.CodeLine == M.Line ? M.Line : std::max(M.Line, C.NextLine),
           M.Rules});
    for (const Mark &M : marks(C, "NOLINTBEGIN"))
      Worklist.push_back({M.Line, 0, M.Rules});
    for (const Mark &M : marks(C, "NOLINTEND"))
      for (size_t O = Worklist.size(); O-- > 0;)
        if (Worklist[O].Rules == M.Rules) {
          Worklist[O].Last = M.Line;
          Result.push_back(Worklist[O]);
          Worklist.erase(Worklist.begin() + O);
          break;
        }
  }
  return Result;
}

bool Suppressions::silences(const Finding &F) {
  return llvm::any_of(regions(F.Location.File), [&](const Region &R) {
    return R.First <= F.Location.Line && F.Location.Line <= R.Last &&
           NameGlobs(R.Rules).contains(F.Rule);
  });
}

} // namespace autoprof::audit
