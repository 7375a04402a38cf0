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

/// As compilers print: a line for each finding, the source with a caret, and
/// notes. `Color`: with terminal colours.
void writeAuditText(const Audit &A, llvm::raw_ostream &OS, bool Color);

/// schema autoprof-audit/1 (docs/json.md).
void writeAuditJson(const Audit &A, llvm::raw_ostream &OS);

/// SARIF 2.1.0, for code scanning: every rule, and every finding with the path
/// from the loop down to it, its fix, and fingerprints that survive edits
/// elsewhere. Paths are relative to the project's root where that is one.
void writeAuditSarif(const Audit &A, llvm::raw_ostream &OS);

/// A page of its own: what was found, and the annotated listing of each file
/// that has calls of the catalogue. It loads nothing.
void writeAuditHtml(const Audit &A, llvm::raw_ostream &OS);

/// For a comment on a pull request, the worst first. `MaxChars`: findings that
/// do not fit are counted instead; counted in bytes, at least
/// LeastMarkdownChars; 0: no limit.
void writeAuditMarkdown(const Audit &A, llvm::raw_ostream &OS, size_t MaxChars);
constexpr size_t LeastMarkdownChars = 1000;

/// GitHub's workflow commands: an annotation for each finding, the worst first
/// because GitHub shows few.
void writeAuditGithub(const Audit &A, llvm::raw_ostream &OS);

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
