// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Suppress.h"

#include "audit/Filters.h"
#include "audit/Rules.h"
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

constexpr StringRef AllowMarker = "autoprof:allow", RulePrefix = "autoprof-";

struct Mark {
  std::string Rules; ///< Globs.
  unsigned Line;
  std::string Reason;
};

/// Finds each `Marker` in a comment that is not followed by a letter: NOLINT is
/// not NOLINTNEXTLINE.
std::vector<Mark> marks(const source::Comment &C, StringRef Marker) {
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

/// Appends the names in `M` for which there is no rule.
static void findUnknown(const std::string &File, StringRef Marker,
                        const Mark &M, std::vector<UnknownRule> &Found) {
  llvm::SmallVector<StringRef, 4> Names;
  llvm::SplitString(M.Rules, Names, ",\n");
  for (StringRef Name : Names) {
    Name = Name.trim();
    StringRef Bare = Name;
    Bare.consume_front("-");
    const bool IsOurs = Marker == AllowMarker || Bare.starts_with(RulePrefix);
    if (!IsOurs || Bare.empty() || llvm::any_of(rules(), [&](const Rule &R) {
          return NameGlobs(Bare).contains(R.Name);
        }))
      continue;
    Found.push_back(
        {File, M.Line, Marker.str(), Name.str(), nearestRule(Bare)});
  }
}

Suppressions::Marks &Suppressions::marksOf(const std::string &File) {
  auto [It, New] = Files.try_emplace(File);
  Marks &Result = It->second;
  if (!New)
    return Result;
  auto Buffer = llvm::MemoryBuffer::getFile(File);
  if (!Buffer)
    return Result;
  const StringRef Text = (*Buffer)->getBuffer();
  if (!Text.contains("NOLINT") && !Text.contains(AllowMarker))
    return Result;
  auto RegionOf = [](const Mark &M, unsigned First, unsigned Last) {
    return Region{First, Last, M.Rules, {M.Line, M.Reason}};
  };
  std::vector<Region> &Regions = Result.Regions;
  std::vector<Region> Worklist;
  for (const source::Comment &C : source::readComments(Text)) {
    auto Each = [&](StringRef Marker, auto Use) {
      for (const Mark &M : marks(C, Marker)) {
        findUnknown(File, Marker, M, Result.Unknown);
        Use(M);
      }
    };
    Each("NOLINT", [&](const Mark &M) {
      Regions.push_back(RegionOf(M, M.Line, M.Line));
    });
    Each("NOLINTNEXTLINE", [&](const Mark &M) {
      Regions.push_back(RegionOf(M, M.Line + 1, M.Line + 1));
    });
    Each(AllowMarker, [&](const Mark &M) {
      const unsigned Last =
          C.CodeLine == M.Line ? M.Line : source::lastLineAfter(Text, C);
      Regions.push_back(RegionOf(M, M.Line, std::max(M.Line, Last)));
      Regions.back().IsAllow = true;
    });
    Each("NOLINTBEGIN",
         [&](const Mark &M) { Worklist.push_back(RegionOf(M, M.Line, 0)); });
    Each("NOLINTEND", [&](const Mark &M) {
      for (size_t O = Worklist.size(); O-- > 0;)
        if (Worklist[O].Rules == M.Rules) {
          Worklist[O].Last = M.Line;
          Regions.push_back(Worklist[O]);
          Worklist.erase(Worklist.begin() + O);
          break;
        }
    });
  }
  return Result;
}

llvm::ArrayRef<UnknownRule>
Suppressions::unknownRules(const std::string &File) {
  return marksOf(File).Unknown;
}

std::vector<UnusedComment>
Suppressions::unusedComments(const std::string &File) {
  const Marks &Found = marksOf(File);
  std::vector<UnusedComment> Result;
  for (const Region &R : Found.Regions)
    if (R.IsAllow && !R.IsUsed &&
        llvm::none_of(Found.Unknown, [&](const UnknownRule &U) {
          return U.Line == R.By.Line;
        }))
      Result.push_back({File, R.By.Line, R.Rules});
  return Result;
}

std::optional<SilencingComment> Suppressions::commentOn(const Finding &F) {
  std::optional<SilencingComment> Result;
  for (Region &R : marksOf(F.Location.File).Regions)
    if (R.First <= F.Location.Line && F.Location.Line <= R.Last &&
        NameGlobs(R.Rules).contains(F.Rule)) {
      R.IsUsed = true;
      if (!Result)
        Result = R.By;
    }
  return Result;
}

} // namespace autoprof::audit
