// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comments that silence findings, with rules as globs in parentheses, or
// without parentheses for all rules; a comment follows the code or precedes it,
// and then applies to the whole statement:
//   // autoprof:allow(autoprof-sync-in-loop): the result is needed here
// A marker in a string literal has no effect.
#pragma once

#include "audit/Finding.h"

#include "llvm/ADT/StringMap.h"

namespace autoprof::audit {

/// A comment that names a rule which does not exist, so it does nothing.
struct UnknownRule {
  std::string File;
  unsigned Line = 0;
  std::string Name;    ///< As written.
  std::string Nearest; ///< The rule that was probably meant, or "".
};

/// A comment that silences a finding.
struct SilencingComment {
  unsigned Line = 0;
  std::string Reason; ///< The text after the marker and its rules, or "".
};

/// Reads files when it first needs them; a file that cannot be read silences
/// nothing. Not thread-safe.
class Suppressions {
public:
  std::optional<SilencingComment> commentOn(const Finding &F);

  /// Unknown rules in one file, in the order of its lines.
  llvm::ArrayRef<UnknownRule> unknownRules(const std::string &File);

private:
  struct Region {
    unsigned First, Last;
    std::string Rules; ///< Globs.
    SilencingComment By;
  };
  struct Marks {
    std::vector<Region> Regions;
    std::vector<UnknownRule> Unknown;
  };
  const Marks &marksOf(const std::string &File);

  llvm::StringMap<Marks> Files;
};

} // namespace autoprof::audit
