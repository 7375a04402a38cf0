// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schema autoprof-check/1; docs/json.md describes each key.
#include "report/JsonFields.h"
#include "report/check/Check.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
namespace json = llvm::json;

namespace {

void baseline(json::OStream &J, const CheckInput &Subject) {
  J.attributeObject("baseline", [&] {
    J.attribute("path", json::fixUTF8(Subject.BaselinePath));
    text(J, "device", Subject.B.Device);
    J.attribute("runs", int64_t(Subject.R.BaseRuns));
    J.attribute("step_median_ns", Subject.R.BaseStep);
  });
}

void failure(json::OStream &J, const CheckFinding &F, llvm::StringRef Message) {
  J.object([&] {
    J.attribute("rule", name(F.Rule));
    sitePlace(J, &F.Place);
    text(J, "call", F.Call);
    optional(J, "base_ns",
             F.Rule == CheckRule::NewWait ? std::nullopt
                                          : std::optional(F.Base));
    J.attribute("new_ns", F.New);
    J.attribute("allowed", F.Allowed);
    optional(J, "p", F.P);
    J.attribute("message", json::fixUTF8(Message));
  });
}

void power(json::OStream &J, const CheckResult &R) {
  if (!R.Power)
    return J.attribute("power", nullptr);
  J.attributeObject("power", [&] {
    J.attribute("spread", R.Power->Spread.Deviation);
    J.attribute("freedom", int64_t(R.Power->Spread.Freedom));
    J.attribute("visible_slowdown", R.Power->Visible);
    optional(J, "runs_needed",
             R.Power->RunsNeeded ? std::optional(int64_t(*R.Power->RunsNeeded))
                                 : std::nullopt);
  });
}

} // namespace

void report::writeCheckJson(llvm::raw_ostream &Out, const CheckInput &Subject,
                            const TextStyle &) {
  json::OStream J(Out, 2);
  J.object([&] {
    J.attribute("schema", "autoprof-check/1");
    J.attribute("ok", Subject.R.Passed);
    baseline(J, Subject);
    J.attributeArray("inputs", [&] {
      for (const RunSummary &S : Subject.Traces)
        J.object([&] { input(J, S.Path, S.Info, S.FileBytes, S.R.Measured); });
    });
    text(J, "device", Subject.R.Device);
    J.attribute("times_compared", Subject.R.SameDevice);
    J.attribute("runs", int64_t(Subject.R.NewRuns));
    J.attribute("step_median_ns", Subject.R.NewStep);
    J.attribute("waiting_sites", int64_t(Subject.R.Waiting));
    J.attribute("error", CheckLimits::Error);
    power(J, Subject.R);
    J.attributeArray("failures", [&] {
      for (const CheckFinding &F : Subject.R.Failures)
        failure(J, F, message(Subject.R, F));
    });
    J.attributeArray("doubtful", [&] {
      for (const CheckFinding &F : Subject.R.Doubtful)
        failure(J, F, doubt(Subject, F));
    });
    J.attributeArray("notes", [&] {
      for (const std::string &Note : notes(Subject))
        J.value(json::fixUTF8(Note));
    });
    J.attribute("summary", json::fixUTF8(summary(Subject)));
  });
  Out << '\n';
}
