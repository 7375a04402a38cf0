// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `autoprof audit` prints: one file a format. The functions only write;
// which findings there are was decided before.
#ifndef AUTOPROF_REPORT_AUDIT_AUDIT_H
#define AUTOPROF_REPORT_AUDIT_AUDIT_H

#include "audit/Finding.h"
#include "source/project/Site.h"

#include "llvm/Support/raw_ostream.h"

namespace autoprof::report {

/// A source of the audit.
struct AuditFile {
  std::string File;
  enum { Read, Partly, NotRead } State = Read;
  std::string Error; ///< But of Read: a sentence without a full stop.
  std::vector<source::Skipped> Functions; ///< Of Partly: those not read.
};

struct Audit {
  const audit::Project &P;
  std::vector<audit::Finding> Findings; ///< In the order of the source.
  /// Calls in the user's files, each place once, in the order of the source.
  std::vector<const audit::LinkedSite *> Sites;
  std::vector<AuditFile> Files; ///< All, in the order they were named.
  unsigned Suppressed = 0;      ///< Findings that comments silence.
};

/// The worst first, otherwise in the order of the source.
std::vector<const audit::Finding *> bySeverity(const Audit &A);

/// A line for each file that was not read as a whole, and for each function
/// that was left out: place, and why.
struct UnreadLine {
  std::string Place, Reason;
};
std::vector<UnreadLine> unread(const Audit &A);

/// "3 findings (1 high, 2 medium) at 41 calls, of which 12 wait; ..."
std::string auditSummary(const Audit &A);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_AUDIT_AUDIT_H
