// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Findings.h"

#include "report/JsonFields.h"
#include "report/recording/Sentences.h"
#include "report/recording/Tables.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
namespace json = llvm::json;

std::string report::findingText(const Finding &F) {
  return F.Rule.str() + ": " + F.Message;
}

std::string report::findingAdvice(const Finding &F) {
  return F.Doubt.empty() ? F.Advice : F.Advice + " Caveat: " + F.Doubt;
}

namespace {

/// A wait that is worth a change.
void finding(json::OStream &J, const Input &Subject, const SiteRow &Row) {
  J.attribute("rule", "exposed-wait");
  J.attribute("severity", analysis::name(Severity::Warning));
  sitePlace(J, siteAt(Subject.T, Row.Site));
  J.attribute("call", json::fixUTF8(Row.Call));
  J.attribute("message", json::fixUTF8(verdictLine(Subject, Row)));
  text(J, "advice", Row.Judged.Advice);
  J.attribute("doubt", adviceDoubt(Row));
  J.attributeObject("evidence", [&] {
    const Promise P = promise(Subject, Row);
    J.attribute("change", analysis::name(P.Change));
    J.attribute("gain_low_ns", P.Sums.Low);
    J.attribute("gain_high_ns", P.Sums.High);
  });
}

void finding(json::OStream &J, const Input &Subject, const Finding &F) {
  J.attribute("rule", F.Rule);
  J.attribute("severity", analysis::name(F.Severity));
  sitePlace(J, siteAt(Subject.T, F.Site));
  text(J, "call", F.Site == trace::None ? "" : Subject.T.Sites[F.Site].Callee);
  J.attribute("message", json::fixUTF8(F.Message));
  text(J, "advice", F.Advice);
  text(J, "doubt", F.Doubt);
  J.attribute("evidence", json::Object(F.Evidence));
}

} // namespace

void report::findingsJson(json::OStream &J, const Input &Subject) {
  J.attributeArray("findings", [&] {
    for (const SiteRow &Row : Subject.R.Sites)
      if (isFinding(Row))
        J.object([&] { finding(J, Subject, Row); });
    for (const Finding &F : Subject.R.Findings)
      J.object([&] { finding(J, Subject, F); });
  });
}
