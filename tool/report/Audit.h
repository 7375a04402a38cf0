// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `autoprof audit` prints: one file a format. The functions only write;
// which findings there are was decided before.
#ifndef AUTOPROF_REPORT_AUDIT_H
#define AUTOPROF_REPORT_AUDIT_H

#include "audit/Finding.h"

#include "llvm/Support/raw_ostream.h"

namespace autoprof::report {

struct AuditSkipped {
  std::string File, Error; ///< A sentence without a full stop.
};

struct Audit {
  const audit::Project &P;
  std::vector<audit::Finding> Findings; ///< In the order of the source.
  /// Calls in the user's files, each place once, in the order of the source.
  std::vector<const audit::LinkedSite *> Sites;
  std::vector<AuditSkipped> Skipped;
  unsigned Suppressed = 0; ///< Findings that comments silence.
};

/// As compilers print: a line for each finding, the source with a caret, and
/// notes. `Color`: with terminal colours.
void writeAuditText(const Audit &A, llvm::raw_ostream &OS, bool Color);

/// schema autoprof-audit/1 (docs/json.md).
void writeAuditJson(const Audit &A, llvm::raw_ostream &OS);

/// "3 findings (1 high, 2 medium) at 41 calls, of which 12 wait; ..."
std::string auditSummary(const Audit &A);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_AUDIT_H
