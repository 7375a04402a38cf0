// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/JsonFields.h"
#include "report/recording/JsonParts.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

void report::findingFields(Fields &F, const Input &Subject) {
  F.list("findings",
         "[what stands out besides waits](findings.md), warnings first",
         Subject.R.Findings, [&](const Finding &Found) {
           F.field("rule", "see [findings.md](findings.md)", Found.Rule);
           F.choice("severity", "`warning`: costs time that can be had back",
                    Found.Severity, Severity::Warning);
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
