// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formats of `autoprof audit`.
#ifndef AUTOPROF_REPORT_AUDIT_FORMATS_H
#define AUTOPROF_REPORT_AUDIT_FORMATS_H

#include "report/Formats.h"
#include "report/audit/Audit.h"

namespace autoprof::report {

/// As compilers print: a line for each finding, the source with a caret, and
/// notes.
void writeAuditText(llvm::raw_ostream &OS, const Audit &A,
                    const TextStyle &Style);

/// schema autoprof-audit/1 (docs/json.md).
void writeAuditJson(llvm::raw_ostream &OS, const Audit &A,
                    const TextStyle &Style);

/// SARIF 2.1.0, for code scanning: every rule, and every finding with the path
/// from the loop down to it, its fix, and fingerprints that survive edits
/// elsewhere. Paths are relative to the project's root if all sources have the
/// same one.
void writeAuditSarif(llvm::raw_ostream &OS, const Audit &A,
                     const TextStyle &Style);

/// A self-contained page: the findings, and the annotated listing of each file
/// that has calls of the catalogue. It loads nothing.
void writeAuditHtml(llvm::raw_ostream &OS, const Audit &A,
                    const TextStyle &Style);

/// For a comment on a pull request, the most severe first. Findings that do not
/// fit into Style.MaxBytes, which are at least LeastMarkdownChars, are counted
/// instead.
void writeAuditMarkdown(llvm::raw_ostream &OS, const Audit &A,
                        const TextStyle &Style);
constexpr size_t LeastMarkdownChars = 1000;

/// GitHub's workflow commands: an annotation for each finding, the most severe
/// first because GitHub shows few.
void writeAuditGithub(llvm::raw_ostream &OS, const Audit &A,
                      const TextStyle &Style);

inline constexpr Format<Audit> AuditFormats[] = {
    {"terminal", writeAuditText},     {"json", writeAuditJson},
    {"sarif", writeAuditSarif},       {"html", writeAuditHtml, /*IsPage=*/true},
    {"markdown", writeAuditMarkdown}, {"github", writeAuditGithub}};

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_AUDIT_FORMATS_H
