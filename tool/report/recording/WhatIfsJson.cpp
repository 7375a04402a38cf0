// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/decisions/Decisions.h"
#include "report/JsonFields.h"
#include "report/recording/JsonParts.h"
#include "report/recording/Sentences.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

/// The figures of expected_gain.
void gainFields(Fields &F, const ExpectedGain &Gain) {
  F.field("per_step", "the figures are per step; else of the whole run",
          Gain.PerStep);
  F.field("low_ns", "at least; negative where the change may as well cost time",
          Gain.Saved.Low, Bounds::Any);
  F.field("middle_ns", "the best estimate", Gain.Saved.Middle, Bounds::Any);
  F.field("high_ns", "at most", Gain.Saved.High, Bounds::Any);
  F.field("whole_ns", "the step, or the GPU's span, in those runs", Gain.Whole);
}

llvm::ArrayRef<llvm::StringRef> questions() {
  static const std::vector<llvm::StringRef> All(std::begin(EditNames) + 1,
                                                std::end(EditNames));
  return All;
}

/// A row of what_if[].
void answerFields(Fields &F, const Input &Subject, const WhatIfRow &Row) {
  F.choice("question",
           "`postpone`: its result is waited for when the call is reached "
           "again; of whole transfers: "
           "`pin`: the host's memory is pinned, `pin_async`: and the host does "
           "not wait for the copy, `remove_transfer`: neither call nor copy",
           name(Row.Kind), questions());
  std::vector<std::pair<uint32_t, llvm::StringRef>> Calls;
  if (Row.Transfer != trace::None) {
    const TransferRow &Transfer = Subject.R.Transfers[Row.Transfer];
    Calls.push_back({Transfer.Site, Transfer.Call});
  }
  for (uint32_t I : Row.Rows)
    Calls.push_back({Subject.R.Sites[I].Site, Subject.R.Sites[I].Call});
  F.list("sites", "whose wait or transfer", Calls, [&](const auto &Call) {
    callFields(F, siteAt(Subject.T, Call.first), Call.second);
  });
  const ExpectedGain Expected = gainOf(Subject.R, Row);
  F.field("gain_low_ns",
          "sum over the steps that count (without steps, over the run), at "
          "least",
          Row.Saved.Low);
  F.field("gain_high_ns", "at most", Row.Saved.High);
  const std::optional<Estimate> &Run = Row.Unrecorded;
  F.field("unrecorded_low_ns",
          "what the same change would save in a run that is not recorded: each "
          "call is shorter by what recording adds "
          "([model.md](model.md#without-the-recorder)); "
          "negative where it may as well cost time; null unless the run was "
          "recorded in full",
          of(Run, &Estimate::Low), Bounds::Any);
  F.field("unrecorded_middle_ns", "the best estimate",
          of(Run, &Estimate::Middle));
  F.field("unrecorded_high_ns", "at most", of(Run, &Estimate::High));
  F.object("expected_gain",
           "of the mean step of a run that is not recorded; null where the "
           "recorder's cost is not known",
           onlyIf(!Expected.Recorded, Expected),
           [&](const ExpectedGain &Gain) { gainFields(F, Gain); });
}

void rangeFields(Fields &F, const ExpectedGain &Gain) {
  gainFields(F, Gain);
  F.either("runs", "of recorded runs, where there is no answer for others",
           Gain.Recorded, "recorded", "unrecorded");
}

/// What is worth a change.
void changeFields(Fields &F, const Input &Subject) {
  const Result &R = Subject.R;
  const Decision &D = R.Decided;
  const bool HasSet = D.gain().has_value();
  F.object(
      "answer",
      "the changes that are worth making, and what they gain together; null: "
      "none is, or it is not known",
      HasSet ? &R.WhatIfs : nullptr, [&](const WhatIfTable &Table) {
        F.list("members",
               "the smallest set that brings nearly all that changing waits, "
               "copies and allocations can bring, the largest share first",
               Table.Changes.Members, [&](const SetMember &Member) {
                 const Candidate &C = Member.Changed;
                 F.choice("remedy",
                          "`wait`: wait later or not at all; `allocate`: "
                          "allocate or create once; `keep_pool`: raise the "
                          "release threshold of the memory pool; `pin`: copy "
                          "from or to pinned memory",
                          C.Kind, Remedy::Pin);
                 std::vector<const SiteRow *> Rows;
                 for (uint32_t I : C.Rows)
                   Rows.push_back(&R.Sites[I]);
                 F.list("sites", "the calls that are changed", Rows,
                        [&](const SiteRow &Row) {
                          callFields(F, siteAt(Subject.T, Row.Site), Row.Call);
                        });
                 F.field("share", "of the gain, 0 to 1", Member.Share);
                 F.field("needs_others",
                         "true: it gains next to nothing without the others",
                         Member.NeedsOthers);
                 F.text("change", "in words",
                        F.describes() ? "" : changeText(Subject, Member));
                 F.text("advice",
                        "how to make the change, and when to wait instead; "
                        "null: its site's verdict says it",
                        F.describes() ? "" : changeAdvice(Subject, Member));
               });
        F.object("mild",
                 "if the program does the same and waits later or elsewhere; "
                 "null: not worth it",
                 D.Mild,
                 [&](const ExpectedGain &Gain) { rangeFields(F, Gain); });
        F.object("strong",
                 "if what the calls do is not done in each step; null: no "
                 "measurable difference to `mild`",
                 D.Strong,
                 [&](const ExpectedGain &Gain) { rangeFields(F, Gain); });
      });
  F.list("sleeping_lines",
         "lines at which the launching thread sleeps until another "
         "thread has waited for the GPU, and that are worth a change",
         D.Lines, [&](const LineChange &C) {
           stackLineFields(F, Subject.T.Sites[C.Site]);
           rangeFields(F, C.Mild);
           F.object("strong", "without the line in each step",
                    std::optional(C.Strong),
                    [&](const ExpectedGain &G) { rangeFields(F, G); });
         });
}

/// Of a step, or of the run where there are none.
std::optional<int64_t> gainResolution(const Input &Subject) {
  const Result &R = Subject.R;
  if (!R.WaitsKnown || R.Span <= 0)
    return std::nullopt;
  const int64_t Steps = R.InSteps ? int64_t(R.InSteps->Count) : 1;
  return resolution(
      R.WhatIfs.UnrecordedWhole.value_or(R.InSteps ? R.InSteps->Span : R.Span) /
      Steps);
}

} // namespace

void report::whatIfFields(Fields &F, const Input &Subject) {
  const WhatIfTable &Table = Subject.R.WhatIfs;
  changeFields(F, Subject);
  F.field("gain_resolution_ns",
          "gains per step (without steps: of the run) that are smaller cannot "
          "be told from none ([model.md](model.md#without-the-recorder)); null "
          "without GPU work",
          gainResolution(Subject));
  F.list("what_if",
         "what single changes would save, by replay: of the sites that wait in "
         "the steps (or in the run) those that cost most, each with its "
         "questions, then all waits together. Empty where nothing can be "
         "replayed",
         Table.Answers,
         [&](const WhatIfRow &Row) { answerFields(F, Subject, Row); });
  F.object("what_if_sample",
           "of recordings of more than a million GPU operations: the gains are "
           "those of some consecutive steps, scaled to all that count; else "
           "null",
           Table.Sampled, [&](const StepSample &S) {
             F.field("steps",
                     "how many steps; 0: none could be chosen (no steps, or "
                     "very long ones), so there are no answers",
                     S.Steps);
             F.field("mean_ns", "their mean time; null without them",
                     onlyIf(S.Steps, S.Mean));
             F.field("mean_of_all_ns", "mean time of all steps that count",
                     onlyIf(S.Steps, S.MeanOfAll));
           });
}

void report::expectedGainFields(Fields &F, const Input &Subject,
                                const SiteRow &Row) {
  const report::Promise P = promise(Subject, Row);
  F.object(
      "expected_gain", "what the reports print; null: not known", P.Expected,
      [&](const ExpectedGain &Gain) {
        F.choice("change",
                 "the verdict's change where that is worth it, else `remove`",
                 P.Change,
                 {Verdict::Remove, Verdict::Postpone, Verdict::MakeAsync});
        F.either("runs",
                 "of a run that is not recorded, or, where there is no answer "
                 "for that, of the recorded one",
                 Gain.Recorded, "recorded", "unrecorded");
        gainFields(F, Gain);
        F.field("needs_others",
                "true: next to nothing is gained unless the other members of "
                "`answer` are changed, too",
                P.NeedsOthers);
      });
}
