// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comments that silence findings. clang-tidy's, which name rules in
// parentheses, by globs, or none for all:
//   call();  // NOLINT(autoprof-sync-in-loop)
//   // NOLINTNEXTLINE(autoprof-*)
//   // NOLINTBEGIN(autoprof-copy-*) ... // NOLINTEND(autoprof-copy-*)
// and autoprof's own, which gives a reason, behind the code or before it:
//   // autoprof:allow(autoprof-sync-in-loop): the result is needed here
// Unlike in clang-tidy, a string literal silences nothing.
#ifndef AUTOPROF_AUDIT_SUPPRESS_H
#define AUTOPROF_AUDIT_SUPPRESS_H

#include "audit/Finding.h"

#include "llvm/ADT/StringMap.h"

namespace autoprof::audit {

/// Reads files when it first needs them; a file that cannot be read silences
/// nothing. Not thread-safe.
class Suppressions {
public:
  bool silences(const Finding &F);

private:
  struct Region {
    unsigned First, Last;
    std::string Rules; ///< Globs.
  };
  const std::vector<Region> &regions(const std::string &File);

  llvm::StringMap<std::vector<Region>> Files;
};

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_SUPPRESS_H
