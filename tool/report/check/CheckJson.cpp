// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/JsonFields.h"
#include "report/check/Check.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

/// A failure, or a doubtful one, in words.
struct Row {
  CheckFinding Found = {};
  std::string Message;
};

void findingFields(Fields &F, const Row &R) {
  const CheckFinding &Found = R.Found;
  F.choice("rule", "what got worse", Found.Rule, CheckRule::Slowdown);
  callSiteFields(F, &Found.Place);
  F.text("call",
         "the call; null for `slowdown`, whose place is the steps' range",
         Found.Call);
  F.field("base_ns",
          "per step: the exposed stall for `more-stall`, the step itself for "
          "`slowdown`; null for `new-wait`",
          onlyIf(Found.Rule != CheckRule::NewWait, Found.Base));
  F.field("new_ns", "likewise; the wait for `new-wait`", Found.New);
  F.field("allowed", "the limit, as a share of the step", Found.Allowed);
  F.field("p",
          "of no growth, one-sided; null for `new-wait`, and where nothing "
          "tells how much runs vary",
          Found.P);
  F.field("message", "one sentence", R.Message);
}

void powerFields(Fields &F, const CheckPower &Power) {
  F.field("spread",
          "standard deviation of the logarithms of the runs' step times",
          Power.Spread.Deviation);
  F.field("freedom", "its degrees of freedom", int64_t(Power.Spread.Freedom));
  F.field("visible_slowdown",
          "a slowdown that is found nine times in ten (0.05: 5 %)",
          Power.Visible);
  F.field("runs_needed",
          "runs per side that find one of the size of `--max-slowdown` nine "
          "times in ten; null: more than 1,000",
          Power.RunsNeeded);
}

} // namespace

void report::checkFields(Fields &F, const CheckInput &Subject) {
  const CheckResult &R = Subject.R;
  std::vector<Row> Failures, Doubtful;
  for (const CheckFinding &Found : R.Failures)
    Failures.push_back({Found, message(R, Found)});
  for (const CheckFinding &Found : R.Doubtful)
    Doubtful.push_back({Found, doubt(Subject, Found)});
  auto Each = [&](const Row &Found) { findingFields(F, Found); };
  F.format("autoprof-check/1",
           "`--format=json` of [`autoprof check`](check.md).");
  F.field("ok",
          "the exit code is 0: nothing failed and, with `--strict`, nothing is "
          "doubtful",
          R.Passed);
  F.object("baseline", "the baseline", [&] {
    F.field("path", "its file", Subject.BaselinePath);
    F.text("device", "name of the GPU", Subject.B.Device);
    F.field("runs", "runs it was written from", R.BaseRuns);
    F.field("step_median_ns", "median of their medians", R.BaseStep);
  });
  F.list("inputs", "the traces", Subject.Traces, [&](const RunSummary &S) {
    inputFields(F, S.Path, S.Info, S.FileBytes, S.R.Measured);
  });
  F.text("device", "GPU of the traces", R.Device);
  F.field("times_compared", "false: it is another GPU than the baseline's",
          R.SameDevice);
  F.field("runs",
          "runs that the traces are of; the ranks of one run count once",
          R.NewRuns);
  F.field("step_median_ns", "median over the runs", R.NewStep);
  F.field("waiting_sites", "sites that wait in the steps", R.Waiting);
  F.field("error",
          "of checks of a program that did not change so many fail for a "
          "growth, at most",
          CheckLimits::Error);
  F.object("power",
           "how sharp the check of the step is; null where nothing tells how "
           "much runs vary, or times are not compared",
           R.Power, [&](const CheckPower &Power) { powerFields(F, Power); });
  F.list("failures", "new or worse, beyond what is allowed and beyond chance",
         Failures, Each);
  F.list("doubtful", "beyond what is allowed, but perhaps by chance", Doubtful,
         Each);
  F.field("notes", "what does not fail the check but should be known",
          notes(Subject));
  F.field("summary", "one sentence", F.describes() ? "" : summary(Subject));
}

void report::writeCheckJson(llvm::raw_ostream &Out, const CheckInput &Subject,
                            const TextStyle &) {
  writeFields(Out, [&](Fields &F) { checkFields(F, Subject); });
}
