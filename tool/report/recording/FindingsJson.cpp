// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/JsonFields.h"
#include "report/recording/JsonParts.h"
#include "report/recording/Sentences.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

/// As a finding: a wait that is worth a change.
Finding waitFinding(const Input &Subject, const SiteRow &Row) {
  const report::Promise P = promise(Subject, Row);
  Finding Found;
  Found.Rule = "exposed-wait";
  Found.Severity = Severity::Warning;
  Found.Site = Row.Site;
  Found.Message = verdictLine(Subject, Row);
  Found.Advice = judgementText(Row);
  Found.Doubt = adviceDoubt(Row).str();
  const int64_t Count =
      P.Expected->PerStep ? int64_t(Subject.R.InSteps->Count) : 1;
  Found.Evidence = llvm::json::Object{
      {"change", name(P.Change)},
      {"gain_low_ns", std::max<int64_t>(0, Count * P.Expected->Saved.Low)},
      {"gain_high_ns", Count * P.Expected->Saved.High}};
  return Found;
}

} // namespace

void report::findingFields(Fields &F, const Input &Subject) {
  struct Row {
    Finding Found;
    llvm::StringRef Call;
  };
  std::vector<Row> Rows;
  for (const SiteRow &One : Subject.R.Sites)
    if (isFinding(One))
      Rows.push_back({waitFinding(Subject, One), One.Call});
  for (const Finding &One : Subject.R.Findings)
    Rows.push_back({One, One.Site == trace::None
                             ? llvm::StringRef()
                             : Subject.T.Sites[One.Site].Callee});
  F.list("findings",
         "waits whose verdict is `remove`, `postpone` or `make_async`; then "
         "[what else stands out](findings.md), warnings first",
         Rows, [&](const Row &One) {
           const Finding &Found = One.Found;
           F.field("rule",
                   "`exposed-wait`, or a rule of [findings.md](findings.md)",
                   Found.Rule);
           F.choice("severity", "`warning`: costs time that can be had back",
                    Found.Severity, Severity::Warning);
           placeFields(F, siteAt(Subject.T, Found.Site));
           F.text("call",
                  "the call at that place; null where the finding is not about "
                  "a call",
                  One.Call);
           F.field("message", "one sentence", Found.Message);
           F.text("advice", "what to do; null: nothing is known", Found.Advice);
           F.text("doubt", "what the trace cannot tell; null: nothing",
                  Found.Doubt);
           F.field("evidence",
                   "the figures the finding rests on; each rule has its own "
                   "keys ([findings.md](findings.md))",
                   Found.Evidence);
         });
}
