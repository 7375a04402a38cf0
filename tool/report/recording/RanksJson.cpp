// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/JsonFields.h"
#include "report/recording/Formats.h"
#include "report/recording/JsonParts.h"
#include "report/recording/Ranks.h"
#include "report/recording/Summary.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

struct RankRow {
  const RankSummary *Rank = nullptr;
  size_t SlowestIn = 0;
};

void stepFields(Fields &F, const RankSummary &S, size_t SlowestIn) {
  const RankSteps &Steps = S.Steps;
  const bool Any = Steps.Count;
  const std::optional<RankSums> &Sums = S.InSteps;
  F.field("count", "0: none found", Steps.Count);
  F.text("source", "where the steps come from", Steps.Source);
  F.field("measured", "steps that count: all but the warm-up", Steps.Measured);
  F.field("median_ns", "step time, without the warm-up",
          onlyIf(Any, Steps.Median));
  F.field("p95_ns", "95th percentile", onlyIf(Any, Steps.P95));
  F.field("wait_ns", "waits in the steps that count",
          of(Sums, &RankSums::Waited));
  F.field("exposed_ns", "their exposed stall", of(Sums, &RankSums::Exposed));
  F.field("busy_ns", "time in which at least one GPU operation ran",
          of(Sums, &RankSums::Busy));
  F.field("span_ns",
          "from end to end of the steps' GPU work; summed over devices",
          of(Sums, &RankSums::Span));
  std::vector<llvm::StringRef> Regimes = Fields::names(Regime::HeldUp);
  Regimes.push_back("");
  F.choice("regime", "what limits the steps", Sums ? Sums->Regime : "",
           Regimes);
  F.field("slowest", "in how many of `steps[]` it was the slowest", SlowestIn);
}

void rankFields(Fields &F, const RankRow &Row) {
  static const RankSummary Example;
  const RankSummary &S = Row.Rank ? *Row.Rank : Example;
  rankNumberFields(F, S.Info);
  F.field("path", "the trace", S.Path);
  rankProcessFields(F, S.Info);
  F.field("devices", "names of the GPUs used", S.Devices);
  F.field("wall_ns", "the process's lifetime while recording", S.Wall);
  F.field("wait_ns", "sum of all waits", S.Waited);
  F.object("steps", "as `steps` of `autoprof-report/1`",
           [&] { stepFields(F, S, Row.SlowestIn); });
  F.field("caveats", "sentences: what its trace lacks", S.Caveats);
  F.field("cut_off", "the end of its file is missing", S.IsCutOff);
}

void siteFields(Fields &F, const Ranks &R, const RankSite &S) {
  siteCallFields(F, S);
  F.field("ranks", "in how many ranks it ran", S.Ranks);
  F.field("worth_changing", "ranks in which its verdict is a change",
          S.WorthChanging);
  siteSumsFields(F, S);
  F.field("least_wait_ns",
          "the smallest sum of one rank; 0 where it did not run", S.LeastWait);
  F.field("most_wait_ns", "the largest sum of one rank", S.MostWait);
  F.text("most_wait_path", "file of the rank with the largest sum",
         S.MostWait.value_or(0) ? R.All[S.MostWaiting].Path : "");
}

void outlierFields(Fields &F, const Ranks &R, const Outlier &O) {
  constexpr llvm::StringRef Measures[] = {"step", "wait", "exposed", "busy"};
  F.field("path", "the rank's file", R.All[O.Rank].Path);
  F.field("rank",
          "number among all ranks, as the launcher gave it; null: unknown",
          R.All[O.Rank].Info.Rank);
  F.choice("what", "in what, per step; `step`: the median step time",
           Measures[unsigned(O.Kind)], Measures);
  F.field("value_ns", "of this rank", O.Value);
  F.field("median_ns", "the median of the ranks", O.Median);
  F.field(
      "z",
      "how many (robust) standard deviations apart; above 3.5 or below -3.5",
      O.Z);
}

void gainFields(Fields &F, const PlanAnswer &G) {
  const std::optional<Estimate> &Unrecorded = G.Unrecorded;
  F.field("recorded_low_ns", "in the recorded run, at least", G.Saved.Low);
  F.field("recorded_high_ns", "at most", G.Saved.High);
  F.field("unrecorded_ns",
          "in a run that is not recorded: the estimate; null where the "
          "recorder's cost is not known of all ranks",
          of(Unrecorded, &Estimate::Middle), Bounds::Any);
  F.field("unrecorded_low_ns",
          "its interval; negative: the change may as well cost time",
          of(Unrecorded, &Estimate::Low), Bounds::Any);
  F.field("unrecorded_high_ns", "its end", of(Unrecorded, &Estimate::High),
          Bounds::Any);
}

void jobFields(Fields &F, const Together &Job) {
  const bool Replayed = Job.Obstacle.empty();
  F.text("obstacle",
         "why the ranks were not replayed together; null: they were",
         Job.Obstacle);
  F.field(
      "collectives",
      "collectives of each rank, matched by their order; null with an obstacle",
      onlyIf(Replayed, Job.Collectives));
  F.field("per_step",
          "whether gains are per step that counts; else of the whole run",
          Job.PerStep);
  F.field("whole_ns",
          "the median step, or the run, of the slowest rank; in a run that is "
          "not recorded if `unrecorded_ns` is known. Null with an obstacle",
          onlyIf(Replayed, Job.Whole));
  F.list("collective_waits",
         "how long each rank waits for others in collectives; empty with an "
         "obstacle",
         Job.Waits, [&](const CollectiveWait &Wait) {
           F.field("rank", "its number", Wait.Rank);
           F.field("wait_ns",
                   "the time in collectives beyond the shortest time among the "
                   "ranks, which is that of the last rank, while nothing else "
                   "runs on the GPU; per step if `per_step`",
                   Wait.Time);
           F.field(
               "last_rank",
               "the rank for which it waits longest; null: it does not wait",
               onlyIf(Wait.Time, Wait.Last));
           F.field("last_rank_wait_ns",
                   "the part of `wait_ns` in which it waits for that rank",
                   Wait.LastTime);
         });
  F.list("removed", "waits, by gain on all ranks", Job.Sites,
         [&](const TogetherSite &S) {
           siteCallFields(F, S);
           F.field("ranks", "on how many ranks it waits", S.Ranks);
           F.field("rank", "the rank with its largest exposed stall", S.Rank);
           F.object("on_all", "the gain if it is removed on all ranks",
                    [&] { gainFields(F, S.OnAll); });
         });
  F.object("without_waits",
           "the gain if no rank waits anywhere; null with an obstacle",
           Job.WithoutWaits, [&](const PlanAnswer &G) { gainFields(F, G); });
}

} // namespace

void report::ranksFields(Fields &F, const RanksInput &About) {
  const Ranks &R = About.R;
  F.format("autoprof-ranks/1",
           "The processes of one run: `--format=json` of `autoprof report` "
           "with several traces or summaries.");
  F.list("unreadable", "files that were left out", About.Bad,
         [&](const Unreadable &U) {
           F.field("path", "the file", U.Path);
           F.field("error", "why it was left out", U.Error);
         });
  F.field("doubts", "sentences: two files of one rank, ranks without a file",
          rankDoubts(R.All));
  std::vector<RankRow> Rows;
  for (size_t I = 0; I < R.All.size() && !F.describes(); ++I)
    Rows.push_back({&R.All[I], R.SlowestIn[I]});
  F.list("ranks", "one for each trace that could be read, by rank", Rows,
         [&](const RankRow &Row) { rankFields(F, Row); });
  F.list("outliers",
         "ranks that are far from the others, of at least five with steps, by "
         "size of `z`",
         R.Outliers, [&](const Outlier &O) { outlierFields(F, R, O); });
  F.list("steps",
         "steps that count in all ranks; empty when the ranks' steps are not "
         "the same range",
         R.Steps, [&](const RankStep &S) {
           F.field("number", "counted from 1, warm-up included", S.Number);
           F.field("slowest_path", "file of the slowest rank",
                   R.All[S.Slowest].Path);
           F.field(
               "slowest_rank",
               "number among all ranks, as the launcher gave it; null: unknown",
               R.All[S.Slowest].Info.Rank);
           F.field("time_ns", "step time of the slowest rank", S.Time);
           F.field("median_ns", "the median over the ranks", S.Median);
           F.field("fastest_ns", "step time of the fastest rank", S.Fastest);
         });
  F.object("job",
           "what removing a wait saves all ranks, replayed together; null "
           "without collectives",
           R.Jointly, [&](const Together &Job) { jobFields(F, Job); });
  F.list("sites", "by exposed stall, descending", R.Sites,
         [&](const RankSite &S) { siteFields(F, R, S); });
}

void report::writeRanksJson(llvm::raw_ostream &Out, const RanksInput &About,
                            const TextStyle &) {
  writeFields(Out, [&](Fields &F) { ranksFields(F, About); });
}
