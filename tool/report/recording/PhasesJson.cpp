// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/JsonFields.h"
#include "report/recording/JsonParts.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

void report::phaseFields(Fields &F, const Input &Subject) {
  F.list(
      "phases",
      "loops, functions or ranges that run one after the other "
      "([reports-reference.md](reports-reference.md#phases)): first that of "
      "`steps`, then by GPU time. Sums over all steps, warm-up included; "
      "empty without steps",
      Subject.R.Phases, [&](const PhaseSums &P) {
        F.text("source", "where its steps come from", P.Source);
        F.text("step", "what `--step` takes to report it; null: it has no name",
               P.Name);
        F.field("count", "its steps", P.Steps);
        F.field("time_ns",
                "the time of its steps, as `steps.clock` counts it, without "
                "what other phases take in between",
                P.Time);
        F.field("gpu_ns", "sum of the GPU operations launched in it", P.Gpu);
        const bool Known = Subject.R.WaitsKnown;
        F.field("wait_ns", "sum of its waits", onlyIf(Known, P.Waited));
        F.field("exposed_ns", "their exposed stall", onlyIf(Known, P.Exposed));
      });
  std::optional<size_t> Elsewhere = Subject.R.WaitsElsewhere;
  F.field("waits_elsewhere",
          "index in `phases[]` of the phase whose waits leave the GPU idle for "
          "a hundredth of its time or more, where nothing in `steps` is worth "
          "a change; null: none",
          Elsewhere);
}

void report::innerFields(Fields &F, const Input &Subject) {
  const std::optional<InnerSteps> &Inner = Subject.R.Steps.Inner;
  F.object("inner",
           "the outermost loop or range inside the steps that runs three times "
           "in each and launches at least three quarters of their GPU work; "
           "null: none",
           Inner, [&](const InnerSteps &I) {
             F.text("source", "where it is", I.Source);
             F.text("step", "what `--step` takes to report it", I.Name);
             F.field("runs", "in all steps", I.Runs);
             F.field("gpu_share", "its part of the steps' GPU work",
                     I.GpuShare);
           });
}
