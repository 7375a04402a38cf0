// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fixes, applied to the sources themselves.
#ifndef AUTOPROF_SOURCE_CLI_APPLYFIXES_H
#define AUTOPROF_SOURCE_CLI_APPLYFIXES_H

#include "report/audit/Audit.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/Error.h"

namespace autoprof::sources {

struct AppliedFixes {
  llvm::SmallPtrSet<const audit::Finding *, 16> Fixed;
  unsigned Files = 0;
  /// A sentence for each fix that overlaps an earlier one, naming both.
  std::vector<std::string> Refused;
};

/// Applies all fixes of the findings, in their order, each completely or not at
/// all. Files are replaced at once, never left half written; links stay links.
/// An error when one cannot be written; files before it are changed then.
llvm::Expected<AppliedFixes> applyFixes(const report::Audit &A);

} // namespace autoprof::sources

#endif // AUTOPROF_SOURCE_CLI_APPLYFIXES_H
