// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/compare/TrialsFile.h"

#include "config/ParseJson.h"
#include "report/JsonFields.h"
#include "report/compare/TrialsText.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

constexpr StringRef Schema = "autoprof-compare/1";

template <typename Side> void sideFields(Fields &F, Side &S) {
  F.field("command", "program and arguments", S.Command);
  F.field("environment", "variables set for this side, with their values",
          S.Environment);
  F.text("recording",
         "its recording, in the folder of this file; null: none was made",
         S.Recording);
  F.text("step", "what a step is, as `--step` takes it; null: none was found",
         S.Step);
  F.unlessZero("steps", "steps in a run", S.Steps);
  F.field("exit_code", "of the last run", S.ExitCode, Bounds::Any);
  F.field("output_sha256",
          "of what the runs printed; one, if all printed the same; empty "
          "without `--compare-output`",
          S.Outputs);
}

void trialFields(Fields &F, Trial &R) {
  F.either("side", "side of the comparison", R.IsNew, "new", "base");
  F.field("time_ns", "the step time, or the run's", R.Time);
  if (F.reads() && !R.Time)
    F.complain("time_ns", "is not more than 0");
  F.field("parts_ns", "a step's time in each part of the run; empty for `wall`",
          R.Parts);
  F.field("wall_ns", "of the process, its start included", R.Wall);
  F.field("cpu_ns", "CPU time of the process", R.Cpu);
  F.field("preempted", "involuntary context switches", R.Preempted);
  F.field("gpu_mhz",
          "median clock of the GPU while it ran; null where NVML is missing",
          R.GpuMHz);
  F.field("cpu_mhz",
          "of the fastest of its CPUs; null where the machine does not tell",
          R.CpuMHz);
  F.field("launch_ns",
          "CPU time of a small launch in this process; null where not known: "
          "without steps, without CUDA",
          R.LaunchCost);
}

void changeFields(Fields &F, const RunsChange &C) {
  F.field("base_median_ns", "median over the runs of the base", C.BaseTime);
  F.field("new_median_ns", "the same of the new program", C.NewTime);
  F.field("change",
          "new / base - 1: the median over all pairs of a base and a new run",
          C.Change);
  F.field("low",
          "lower end of the 95 % interval of `change`; null where too few runs "
          "exclude anything",
          of(C.Range, &Interval::Low));
  F.field("high", "its upper end", of(C.Range, &Interval::High));
  F.field("p", "of no change, the looks so far accounted for", C.P);
  F.field("significant", "a change is claimed", C.Differs);
}

void adjustmentFields(Fields &F, const LaunchAdjustment &L) {
  constexpr StringRef Objections[] = {"", "environments_differ",
                                      "launch_cost_differs"};
  F.choice("not_used", "why the answer is not adjusted; null: it is",
           Objections[unsigned(L.Obstacle)], Objections);
  F.field("base_launch_ns", "what a launch costs runs of the base, median",
          L.BaseCost);
  F.field("new_launch_ns", "the same of the new program", L.NewCost);
  F.field("slope", "0.8: a launch cost 1 % higher means a step 0.8 % longer",
          L.Slope);
  F.field("explained", "share of the variance between runs that it explains",
          L.Explained);
  F.field(
      "spread",
      "what the adjusted runs vary by, as a share; the larger of both sides",
      L.Spread);
  changeFields(F, L.Adjusted);
}

} // namespace

llvm::StringRef report::verdictName(const TrialsJudged &Judged) {
  if (Judged.Differs)
    return Judged.Change > 0 ? "slower" : "faster";
  return Judged.ShowsNone ? "no_change" : "unclear";
}

void report::judgementFields(Fields &F, const Trials &T,
                             const TrialsJudged &Judged) {
  F.choice("verdict",
           "`no_change`: the interval holds 0 and is as narrow as was asked "
           "for; `unclear`: neither that nor a change",
           verdictName(Judged), {"slower", "faster", "no_change", "unclear"});
  F.field("base_runs", "runs of the base that the last look took",
          Judged.BaseRuns);
  F.field("new_runs", "the same of the new program", Judged.NewRuns);
  F.either("basis",
           "of what follows: `runs` as they are, or `adjusted_runs`, for what "
           "a launch costs each process",
           Judged.isAdjusted(), "adjusted_runs", "runs");
  changeFields(F, Judged);
  F.field("error",
          "how often one would be claimed where there is none, at most",
          StoppingPlan::Error);
  F.field(
      "base_spread",
      "how much runs of the base vary, as a share: a robust standard deviation",
      Judged.BaseSpread);
  F.field("new_spread", "the same of the new program", Judged.NewSpread);
  F.object("unadjusted", "of the runs as they are",
           [&] { changeFields(F, Judged.Unadjusted); });
  F.object("adjustment",
           "of the runs adjusted for what a launch costs each process; null "
           "where `launch_ns` is not known of all of them",
           Judged.Launch,
           [&](const LaunchAdjustment &L) { adjustmentFields(F, L); });
  F.field("confounders",
          "clocks that differ between the sides, one clause each",
          confounders(T));
}

void report::trialsFields(Fields &F, Trials &T, const TrialsJudged *Judged) {
  F.format(Schema, "`compare.json`, which `autoprof compare` writes and prints "
                   "with `--format=json`. `autoprof diff` and `autoprof "
                   "compare --from` and `--baseline` read it.");
  bool IsWall = T.Metric == TrialMetric::Wall;
  F.either("metric", "what is compared: `step`, or `wall`, the whole process",
           IsWall, "wall", "step");
  T.Metric = IsWall ? TrialMetric::Wall : TrialMetric::Step;
  F.field("self_test", "both sides are the same program", T.SelfTest);
  F.field("base_is_stored",
          "the base's runs are those of an earlier comparison (`--baseline`)",
          T.Stored);
  F.object("base", "the base", [&] { sideFields(F, T.Base); });
  F.object("new", "the new program", [&] { sideFields(F, T.New); });
  F.field("cpus", "CPUs that both sides could use; empty: all", T.Cpus);
  F.text("gpu", "name of the GPU; null where NVML is missing", T.Gpu);
  F.text("host", "name of the machine", T.Host);
  F.field("most_runs", "at most so many runs per side, as asked for",
          T.MostRuns);
  if (F.reads() && !T.MostRuns)
    F.complain("most_runs", "is not more than 0");
  F.field("least_runs", "at least so many", T.LeastRuns);
  F.field("precision",
          "half the width of the interval at which to stop, as a share",
          T.Precision, Bounds::NotNegative);
  F.object("result", "what the runs show; null: there are too few", Judged,
           [&](const TrialsJudged &J) { judgementFields(F, T, J); });
  F.list("runs", "in the order in which they were made", T.Runs,
         [&](Trial &R) { trialFields(F, R); });
}

void report::writeTrials(llvm::raw_ostream &Out, const Trials &T,
                         const TrialsJudged *Judged) {
  Trials Written = T;
  writeFields(
      Out, [&](Fields &F) { trialsFields(F, Written, Judged); }, /*Indent=*/1);
}

bool report::isTrialsFile(StringRef Path) {
  constexpr uint64_t Enough = 64;
  auto Start = llvm::MemoryBuffer::getFileSlice(Path, Enough, 0,
                                                /*IsVolatile=*/true);
  return Start && (*Start)->getBuffer().ltrim().starts_with("{") &&
         (*Start)->getBuffer().contains(Schema);
}

llvm::Expected<Trials> report::readTrials(StringRef Path) {
  auto Failure = [Path](const llvm::Twine &Reason) {
    return llvm::createStringError("cannot read the comparison '" + Path +
                                   "': " + Reason);
  };
  llvm::Expected<json::Value> V = parseJsonFile(Path);
  if (!V)
    return Failure(llvm::toString(V.takeError()));
  const json::Object *O = V->getAsObject();
  if (!O || O->getString("schema").value_or("") != Schema)
    return Failure("its schema is not " + Schema);
  Fields F(*O);
  Trials T;
  trialsFields(F, T, nullptr);
  if (!F.wrong().empty())
    return Failure(F.wrong());
  return T;
}
