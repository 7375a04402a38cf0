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

/// A change that the base's report recommends, and its gain.
struct Reported {
  const trace::Site *Place = nullptr;
  llvm::StringRef Call;
  Edit Kind = Edit::None;
  ExpectedGain Gain = {};
};

void reportedFields(Fields &F, const Reported &R) {
  callFields(F, R.Place, R.Call);
  F.choice("change", "what the base's report recommends", R.Kind,
           {Edit::Remove, Edit::Postpone, Edit::MakeAsync, Edit::Pin,
            Edit::PinAsync});
  F.either("runs",
           "of a run that is not recorded, or, where there is no answer for "
           "that, of the recorded one",
           R.Gain.Recorded, "recorded", "unrecorded");
  F.field("low_ns",
          "per step, at least; negative where the change may as well cost time",
          R.Gain.Saved.Low, Bounds::Any);
  F.field("middle_ns", "the best estimate", R.Gain.Saved.Middle);
  F.field("high_ns", "at most", R.Gain.Saved.High);
  F.field("whole_ns", "the step in those runs", R.Gain.Whole);
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
        std::vector<Reported> Gains;
        if (!F.describes()) {
          for (const Fact &One : findFacts(D))
            Changes.push_back(factText(D, One));
          for (const ReportedGain &R : reportedGains(D))
            Gains.push_back(
                {&R.Site.place(), R.Site.row().Call, R.Kind, R.Gain});
        }
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
        F.list("reported",
               "the gains that the base's report gives for sites of the base "
               "that no longer run (the lines \"reported\"); empty where the "
               "prediction is not of recorded runs",
               Gains, [&](const Reported &R) { reportedFields(F, R); });
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
