// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Applies fixes to the sources.
#ifndef AUTOPROF_SOURCE_CLI_APPLYFIXES_H
#define AUTOPROF_SOURCE_CLI_APPLYFIXES_H

#include "report/audit/Audit.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/Error.h"

namespace autoprof::sources {

struct AppliedFixes {
  llvm::SmallPtrSet<const audit::Finding *, 16> Fixed;
  unsigned Files = 0;
  std::vector<std::string> Done; ///< "RULE at FILE:LINE" for each of Fixed.
  /// Findings that were not fixed: of rules that have fixes, but inside a
  /// macro's argument, and others.
  unsigned InMacros = 0, Others = 0;
  /// A sentence for each fix that overlaps an earlier one, naming both.
  std::vector<std::string> Refused;
};

/// Applies all fixes of the findings, in their order, each completely or not at
/// all. Files are replaced atomically, and links stay links. Returns an error
/// if a file cannot be written; earlier files have then been changed.
llvm::Expected<AppliedFixes> applyFixes(const report::Audit &A);

} // namespace autoprof::sources

#endif // AUTOPROF_SOURCE_CLI_APPLYFIXES_H
