// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Github.h"
#include "report/audit/Audit.h"
#include "report/audit/Formats.h"

using namespace autoprof;
using namespace autoprof::audit;

void report::writeAuditGithub(llvm::raw_ostream &OS, const Audit &A,
                              const TextStyle &) {
  for (const Finding *F : bySeverity(A)) {
    std::string Text = F->Message;
    if (!F->Replacement.empty())
      Text += "\nInstead: " + F->Replacement;
    OS << (F->Level == Severity::Note ? "::notice" : "::warning")
       << " file=" << escapeGithub(A.P.shownPath(F->Location), true)
       << ",line=" << F->Location.Line << ",col=" << F->Location.Column
       << ",title=" << escapeGithub(F->Rule, true)
       << "::" << escapeGithub(Text, false) << '\n';
  }
  for (const report::UnreadLine &L : unread(A))
    OS << "::notice title=not read::"
       << escapeGithub(L.Place + ": " + L.Reason, false) << '\n';
  OS << auditSummary(A) << '\n';
}
