// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/JsonFields.h"
#include "report/recording/JsonParts.h"
#include "report/recording/Proof.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

constexpr llvm::StringRef Outputs[] = {"not_compared", "equal", "different",
                                       "varying", ""};

void measuredFields(Fields &F, const StepChange &S) {
  const bool Known = S.Enough && S.Basis != StepBasis::OneRun;
  F.choice("basis",
           "what `significant` rests on: `one_run` on a side, which shows "
           "nothing; several `recorded_runs` on both sides; the "
           "`unrecorded_runs` of `autoprof compare`",
           S.Basis, StepBasis::Unrecorded);
  F.field("change", "new / base - 1", S.Change);
  F.field("low", "lower end of its 95 % interval; null for `one_run`",
          onlyIf(Known, S.Range.Low));
  F.field("high", "its upper end", onlyIf(Known, S.Range.High));
  F.field("significant", "a change is claimed", S.Significant);
}

} // namespace

void report::proofFields(Fields &F, const Difference *D) {
  F.object(
      "proof",
      "from the change to its effect; null without a recording of each side", D,
      [&](const Difference &D) {
        const std::optional<Trials> &T = D.Compared;
        const bool Predicted = D.Predicted && !D.Predicted->isEmpty();
        std::vector<std::string> Changes;
        if (!F.describes())
          for (const Fact &One : findFacts(D))
            Changes.push_back(factText(D, One));
        F.field("changes",
                "what the programs do differently, one sentence each "
                "(`facts[]` of `autoprof-diff/1`)",
                Changes);
        F.object("predicted",
                 "change of the step that the base's replay predicted for the "
                 "waits that are gone and the memory that is pinned; null: "
                 "there are none, or the steps cannot be compared",
                 Predicted ? &*D.Predicted : nullptr, [&](const Prediction &P) {
                   F.choice(
                       "runs",
                       "what the prediction is for: `recorded` or `unrecorded` "
                       "runs, as was measured. `scaled`: unrecorded ones, by "
                       "the share that was predicted for recorded ones, as the "
                       "recorder's cost is not known",
                       P.Predicted, PredictedRuns::Scaled);
                   F.field("low", "new / base - 1, at least", P.lowChange());
                   F.field("high", "at most", P.highChange());
                 });
        F.object("measured",
                 "change of the step that was measured; null without steps in "
                 "common",
                 D.Step, [&](const StepChange &S) { measuredFields(F, S); });
        F.choice(
            "agreement",
            "of prediction and measurement: `agrees`: the intervals overlap; "
            "`faster`, `slower`: the step is shorter or longer than predicted; "
            "`unclear`: the measured interval is too wide to tell; "
            "`not_tested`: one run on a side; null without a prediction",
            Predicted ? std::optional(D.Predicted->Found) : std::nullopt,
            Agreement::Slower);
        F.choice(
            "outputs",
            "standard output of the two programs. `varying`: not even runs of "
            "one program print the same; null without `autoprof compare`",
            T ? Outputs[unsigned(compareOutputs(*T))] : "", Outputs);
        F.field("base_exit_code", "null without `autoprof compare`",
                T ? std::optional(T->Base.ExitCode) : std::nullopt,
                Bounds::Any);
        F.field("new_exit_code", "likewise",
                T ? std::optional(T->New.ExitCode) : std::nullopt, Bounds::Any);
      });
}
