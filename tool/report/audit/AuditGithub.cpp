// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Github.h"
#include "report/audit/Audit.h"
#include "report/audit/Formats.h"
#include "report/audit/Prices.h"
#include "report/audit/RulePages.h"

using namespace autoprof;
using namespace autoprof::audit;

void report::writeAuditGithub(llvm::raw_ostream &OS, const Audit &A,
                              const TextStyle &) {
  for (const Finding *F : sorted(A)) {
    std::string Text = F->Message;
    if (!F->Replacement.empty())
      Text += "\nInstead: " + F->Replacement;
    if (const std::string Price = priceText(A, *F); !Price.empty())
      Text += "\n" + measuredText(Price, /*IsSentence=*/true);
    const std::string Url = rulePageUrl(F->Rule);
    Text += "\nMore: " + (Url.empty() ? "autoprof explain " + F->Rule : Url);
    OS << (F->Level == Severity::Note ? "::notice" : "::warning")
       << " file=" << escapeGithub(A.P.shownPath(F->Location), true)
       << ",line=" << F->Location.Line << ",col=" << F->Location.Column
       << ",title="
       << escapeGithub(F->Rule + " (" + severityText(*F) + ")", true)
       << "::" << escapeGithub(Text, false) << '\n';
  }
  for (const report::UnreadLine &L : unread(A))
    OS << "::notice title=not read::"
       << escapeGithub(L.Place + ": " + L.Reason, false) << '\n';
  for (const UnknownRule &U : A.UnknownRules)
    OS << "::warning file=" << escapeGithub(A.P.shownPath({U.File}), true)
       << ",line=" << U.Line
       << ",title=unknown rule::" << escapeGithub(describe(U), false) << '\n';
  if (A.Priced)
    OS << "measured: " << pricingSummary(A) << '\n';
  for (const std::string &Line : stale(A))
    OS << "::notice title=accepted findings::" << escapeGithub(Line, false)
       << '\n';
  OS << auditSummary(A) << '\n';
}
