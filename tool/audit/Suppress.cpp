// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Suppress.h"

#include "audit/Filters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using llvm::StringRef;

namespace autoprof::audit {

namespace {

/// The rules in parentheses after a marker; all when there are none.
std::string rulesAfter(StringRef Rest) {
  if (!Rest.consume_front("("))
    return "*";
  return Rest.take_until([](char C) { return C == ')'; }).str();
}

/// Finds `Marker` where no letter follows it: NOLINT is not NOLINTNEXTLINE.
std::optional<std::string> marked(StringRef Line, StringRef Marker) {
  for (size_t At = Line.find(Marker); At != StringRef::npos;
       At = Line.find(Marker, At + 1)) {
    StringRef Rest = Line.substr(At + Marker.size());
    if (Rest.empty() || !llvm::isAlpha(Rest.front()))
      return rulesAfter(Rest);
  }
  return std::nullopt;
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
  llvm::SmallVector<StringRef, 0> Lines;
  (*Text)->getBuffer().split(Lines, '\n');
  std::vector<Region> Open;
  for (unsigned I = 0; I < Lines.size(); ++I) {
    const unsigned Number = I + 1;
    StringRef Line = Lines[I];
    if (!Line.contains("NOLINT") && !Line.contains("autoprof:"))
      continue;
    if (auto Rules = marked(Line, "NOLINT"))
      Result.push_back({Number, Number, *Rules});
    if (auto Rules = marked(Line, "NOLINTNEXTLINE"))
      Result.push_back({Number + 1, Number + 1, *Rules});
    if (auto Rules = marked(Line, "autoprof:allow")) {
      const bool Alone =
          Line.ltrim().starts_with("//") || Line.ltrim().starts_with("/*");
      Result.push_back({Number, Number + Alone, *Rules});
    }
    if (auto Rules = marked(Line, "NOLINTBEGIN"))
      Open.push_back({Number, 0, *Rules});
    if (auto Rules = marked(Line, "NOLINTEND"))
      for (size_t O = Open.size(); O-- > 0;)
        if (Open[O].Rules == *Rules) {
          Open[O].Last = Number;
          Result.push_back(Open[O]);
          Open.erase(Open.begin() + O);
          break;
        }
  }
  return Result;
}

bool Suppressions::silences(const Finding &F) {
  return llvm::any_of(regions(F.At.File), [&](const Region &R) {
    return R.First <= F.At.Line && F.At.Line <= R.Last &&
           NameGlobs(R.Rules).contains(F.Rule);
  });
}

} // namespace autoprof::audit
