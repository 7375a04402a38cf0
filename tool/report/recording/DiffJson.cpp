// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A change, for programs.
#include "report/JsonFields.h"
#include "report/compare/TrialsFile.h"
#include "report/recording/DiffText.h"
#include "report/recording/Formats.h"
#include "report/recording/JsonParts.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

/// A run, and whether it is of the new side.
struct SideRun {
  const RunSummary *Run = nullptr;
  bool IsNew = false;
};

void inputsFields(Fields &F, const Difference &D) {
  std::vector<SideRun> Runs;
  for (const RunSummary &S : D.Base)
    Runs.push_back({&S, false});
  for (const RunSummary &S : D.New)
    Runs.push_back({&S, true});
  F.list("inputs", "runs of the base, then new ones", Runs,
         [&](const SideRun &One) {
           static const RunSummary Example;
           const RunSummary &S = One.Run ? *One.Run : Example;
           inputFields(F, S.Path, S.Info, S.FileBytes, S.R.Measured);
           F.either("side", "side of the comparison", One.IsNew, "new", "base");
         });
}

void stepFields(Fields &F, const StepChange &S) {
  const bool Known = S.Enough && S.Basis != StepBasis::OneRun;
  F.field("base_runs", "runs on the base's side", S.BaseRuns);
  F.field("new_runs", "runs on the new side", S.NewRuns);
  F.field("base_count",
          "steps compared on the base's side, without the warm-up; of all runs",
          S.BaseCount);
  F.field("new_count", "the same on the new side", S.NewCount);
  F.field("base_median_ns",
          "median step time; of several runs the median of their medians",
          S.BaseMedian);
  F.field("new_median_ns", "the same of the new side", S.NewMedian);
  F.field("change", "new / base - 1: -0.055 is 5.5 % faster", S.Change);
  F.field("low",
          "lower end of the 95 % interval of `change`; null with one run on a "
          "side, as nothing tells how much runs vary, and with too few runs",
          onlyIf(Known, S.Range.Low));
  F.field("high", "its upper end", onlyIf(Known, S.Range.High));
  F.field("p",
          "two-sided, of runs; see "
          "[reports-reference.md](reports-reference.md#the-statistics) for the "
          "test; null likewise",
          onlyIf(Known, S.P));
  F.field("visible",
          "a smaller `change` could not have been significant; null likewise",
          onlyIf(Known, S.Visible));
  F.field("significant",
          "`p` is below 0.01 and 0 is outside of the interval; false with one "
          "run on a side",
          S.Significant);
  F.choice("basis",
           "what `significant` rests on: `one_run` on a side, which shows "
           "nothing; several `recorded_runs` on both sides; the "
           "`unrecorded_runs` of `autoprof compare`",
           S.Basis, StepBasis::Unrecorded);
  F.field("runs_vary",
          "`one_run`: how far two runs of one program are known to be apart "
          "(0.05: 5 %), of this program with `--noise`, else of others in this "
          "regime; null otherwise",
          S.RunsVary);
  F.field("base_lead_median_ns", "GPU work queued when a step ended on the CPU",
          S.BaseLead);
  F.field("new_lead_median_ns", "the same of the new side", S.NewLead);
}

constexpr llvm::StringRef Presences[] = {"ran", "not_run", "not_reached"};

void siteFields(Fields &F, const Difference &D, const SiteChange &C) {
  using Ns = std::optional<int64_t>;
  auto Side = [&](const SiteRow &R, const Ns &Wait, const Ns &Exposed) {
    F.field("count", "how often it ran", R.Count);
    F.field("wait_ns", "sum over the run", R.Wait);
    F.field("exposed_ns", "exposed stall, sum over the run", R.Exposed);
    F.field("wait_per_step_ns",
            "mean over the steps that count; null where these are not compared",
            D.PerStep ? Wait : std::nullopt);
    F.field("exposed_per_step_ns", "likewise",
            D.PerStep ? Exposed : std::nullopt);
    F.field("lead_median_ns", "lead when its waits began", R.LeadMedian);
  };
  const bool IsKnown = C.Base || C.New;
  callFields(F, IsKnown ? &C.place() : nullptr, IsKnown ? C.row().Call : "");
  F.choice("in_base",
           "`not_reached`: the recording ends, or begins, where it could not "
           "see the site; then its figures are null",
           Presences[unsigned(C.InBase)], Presences);
  F.choice("in_new",
           "`not_reached`: the recording ends, or begins, where it could not "
           "see the site; then its figures are null",
           Presences[unsigned(C.InNew)], Presences);
  F.text("guess",
         "why the places of the two sides are taken to be one although their "
         "ids differ; null when the ids agree",
         C.Guess);
  F.object("new_place",
           "where the site is in the new program; all null when it did not run "
           "there",
           [&] { placeFields(F, C.New ? C.NewPlace : nullptr); });
  F.object("base", "in the base; null when it did not run there", C.Base,
           [&](const SiteRow &R) { Side(R, C.BaseWait, C.BaseExposed); });
  F.object("new", "in the new program; null when it did not run there", C.New,
           [&](const SiteRow &R) { Side(R, C.NewWait, C.NewExposed); });
}

void factFields(Fields &F, const Difference &D, const Fact &One) {
  const bool Counts = countsCalls(One.Kind);
  F.choice(
      "kind",
      "`gone`: a site that waited no longer runs; `added`: one that waits did "
      "not run before; `added_near`, `gone_near`: one that does not wait, in "
      "the file of one that is gone or added, runs in the steps of the new or "
      "of the base only; `no_longer_waits`, `now_waits`: it runs on both "
      "sides; `calls_per_step`: it runs more or less often; `pinned`: it "
      "copied from or to pageable memory, and now the copies use pinned "
      "memory; `unpinned`: the reverse; `lead_kept`: the GPU has work queued "
      "when a step ends, and had none; `lead_drained`: the reverse; "
      "`command_line`, `environment`: how the programs were started",
      One.Kind, FactKind::Environment);
  placeFields(F, One.Site ? &One.Site->place() : nullptr);
  F.text("call", "the call; null of what is about no site",
         One.Site ? One.Site->row().Call : "");
  F.field("base_calls_per_step",
          "`calls_per_step`, `added_near`, and `gone_near` only, else null",
          onlyIf(Counts, One.Base));
  F.field("new_calls_per_step", "likewise", onlyIf(Counts, One.New));
  F.field("text", "one sentence", F.describes() ? "" : factText(D, One));
}

void partFields(Fields &F, const PartChange &C) {
  F.either("what", "kind of part", C.IsKernel, "kernel", "range");
  F.field("name", "name of the kernel or range", C.Name);
  placeFields(F, C.Place);
  F.field("base_count_per_step", "mean number per step in the base",
          C.BaseCount);
  F.field("new_count_per_step", "the same in the new program", C.NewCount);
  F.field("base_time_per_step_ns",
          "GPU time of a kernel; of a range its time on the host, with all "
          "that it calls",
          int64_t(C.BaseTime));
  F.field("new_time_per_step_ns", "the same in the new program",
          int64_t(C.NewTime));
  F.field("of_step", "the change as a share of the base's step", C.OfStep);
}

void idleChangeFields(Fields &F, const Difference &D) {
  F.field("per_step",
          "the times are means per step; false: sums of the whole runs, "
          "because a side has no steps",
          ofSteps(D));
  F.list(
      "causes", "by the larger side; of several runs the medians",
      causeChanges(D), [&](const CauseChange &C) {
        F.choice(
            "cause",
            "see "
            "[reports-reference.md](reports-reference.md#causes-of-idle-time)",
            C.Kind, Cause::Unknown);
        F.field("base_ns", "idle time in the base", C.Base.Time);
        F.field("new_ns", "and in the new recording", C.New.Time);
        F.field("base_share", "of the steps' time, else of the GPU's span",
                double(C.Base.Share) / 1e6);
        F.field("new_share", "likewise", double(C.New.Share) / 1e6);
      });
}

} // namespace

void report::diffFields(Fields &F, const DiffInput &About) {
  const Difference &D = About.D;
  F.format("autoprof-diff/1", "`--format=json` of `autoprof diff`.");
  inputsFields(F, D);
  F.object("step", "the steps of both sides; null when one has none", D.Step,
           [&](const StepChange &S) { stepFields(F, S); });
  F.object("compared",
           "what the runs of `autoprof compare` show; null without them",
           D.Judged, [&](const TrialsJudged &Judged) {
             const Trials T = D.Compared.value_or(Trials());
             F.either("metric",
                      "what is compared: `step`, or `wall`, the whole process",
                      T.Metric == TrialMetric::Wall, "wall", "step");
             judgementFields(F, T, Judged);
           });
  F.list("facts",
         "what the programs do differently: certain from one recording per "
         "side, whatever the times are",
         findFacts(D), [&](const Fact &One) { factFields(F, D, One); });
  F.list("sites", "sites of either side, by change of wait", D.Sites,
         [&](const SiteChange &C) { siteFields(F, D, C); });
  F.list("parts",
         "kernels (copies and sets, too) and ranges, by change of their time "
         "in the steps; empty without steps in common",
         D.Parts, [&](const PartChange &C) { partFields(F, C); });
  F.object("idle",
           "idle time of the GPU by cause; null: a trace has no GPU work",
           haveGpuWork(D) ? &D : nullptr,
           [&](const Difference &) { idleChangeFields(F, D); });
  F.field("summary", "what happened, in two sentences",
          diffCause(D) + " " + diffEffect(D));
  F.field("notes", "what the comparison cannot know, one sentence each",
          diffNotes(D));
}

void report::writeDiffJson(llvm::raw_ostream &Out, const DiffInput &About,
                           const TextStyle &) {
  writeFields(Out, [&](Fields &F) { diffFields(F, About); });
}
