// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One recording, for programs. Times are integer nanoseconds. Unknown values
// are null, never a guess.
#include "report/Format.h"
#include "report/JsonFields.h"
#include "report/recording/CallName.h"
#include "report/recording/Formats.h"
#include "report/recording/JsonParts.h"
#include "report/recording/Report.h"
#include "report/recording/Sentences.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
using trace::Timeline;

namespace {

void lossFields(Fields &F, const Timeline &T) {
  const trace::Loss &L = T.Lost;
  const trace::ReadLoss &U = T.Unread;
  F.field("cupti_dropped", "records dropped by CUPTI", L.CuptiDropped);
  F.field("probes_dropped", "probe records dropped", L.ProbesDropped);
  F.field("zero_timestamps", "GPU operations without times", L.ZeroTimestamps);
  F.field("buffers_refused", "record buffers refused for lack of memory",
          L.BuffersRefused);
  F.field("write_errors", "failed writes", L.WriteErrors);
  F.field("probes_unbalanced", "probes that ended without having begun",
          L.ProbesUnbalanced);
  F.field("stacks_dropped",
          "host stacks that found no room, or were in libraries that have been "
          "closed",
          L.StacksDropped);
  F.field("bytes_dropped", "unreadable bytes at the end of the file",
          U.BytesDropped);
  F.field("bytes_skipped",
          "unreadable bytes before that: at the beginning, or where the file "
          "is damaged",
          U.BytesSkipped);
  F.field("packets_damaged", "packets left out", U.PacketsDamaged);
  F.field("slices_unpaired", "slices without a beginning or without an end",
          U.SlicesUnpaired);
  F.field("events_invalid",
          "events with impossible times, or far from all others",
          U.EventsInvalid);
}

void recordedFields(Fields &F, const Timeline &T) {
  const trace::Windows &W = T.Recorded;
  F.text("plan",
         "in the words of the options: `steps 3:8 of train_step`; null: the "
         "whole run",
         T.plan());
  F.field("steps_seen", "steps that the program made; null: not counted",
          W.StepsSeen);
  F.field("steps_recorded",
          "steps recorded from beginning to end; null: not counted",
          W.StepsRecorded);
  F.list("windows", "the recorded parts; empty without a plan", W.List,
         [&](const trace::Window &One) {
           F.field("start_ns", "since the trace's start", One.Start);
           F.field("end_ns",
                   "since the trace's start; null: to the end of the trace",
                   onlyIf(One.End <= T.end(), One.End));
         });
}

void partFields(Fields &F, const trace::Cut &C) {
  F.field("start_ns", "its beginning, since the trace's start", C.Kept.Start);
  F.field("end_ns", "its end", C.Kept.End);
  F.field("recording_start_ns", "the first start of all that was recorded",
          C.Whole.Start);
  F.field("recording_end_ns", "the last end", C.Whole.End);
  F.field("host_events_outside",
          "host events outside of the part; they are in no figure",
          C.HostEvents);
  F.field("operations_outside", "GPU operations outside of it, likewise",
          C.Operations);
}

/// Nothing where no record shows it: not every profiler makes them.
std::optional<int64_t> blocked(const Result &R, const BlockedCalls &Part) {
  return onlyIf(R.Blocked.Count, Part.Time);
}

void summaryFields(Fields &F, const Result &R) {
  const bool Known = R.WaitsKnown;
  F.field("wall_ns", "the process's lifetime while recording", R.Wall);
  F.field("recorded_ns", "how much of it was recorded", R.Recorded);
  F.field("operations_without_launch",
          "GPU operations whose launch is not in the recording",
          R.Unlaunched.Count);
  F.field("gpu_span_ns",
          "from the first to the last GPU operation, all devices, without what "
          "was not recorded",
          onlyIf(Known, R.Span));
  F.field("wait_ns", "sum of all waits", onlyIf(Known, R.Waited));
  F.field("drains", "how often a GPU ran out of queued work and got more later",
          onlyIf(Known, R.Drains));
  F.field("drains_behind_waits", "those that are the exposed stall of a wait",
          onlyIf(Known, R.WaitDrains));
  F.field(
      "launches_blocked_ns",
      "time in which a call was blocked because the GPU's command queue was "
      "full; counted apart from `wait_ns`. null: the trace has no record of "
      "it, because no call was blocked or the profiler does not record it",
      Known ? blocked(R, R.Blocked) : std::nullopt);
}

/// Sums over the steps that count.
void steadyFields(Fields &F, const Input &Subject) {
  const std::optional<Steady> &S = Subject.R.InSteps;
  F.field("host_ns",
          "host time from the start of the first step that counts to the end "
          "of the last; null (like the next ones) without GPU work in steps",
          of(S, &Steady::HostTime));
  F.field("span_ns",
          "the same for the GPU, from end to end of the steps' GPU work; "
          "summed over devices",
          of(S, &Steady::Span));
  F.field("busy_ns",
          "the part of `span_ns` in which at least one operation ran",
          of(S, &Steady::Busy));
  F.field("wait_ns", "the part of `host_ns` spent waiting",
          of(S, &Steady::Waited));
  F.field("exposed_ns", "the part of `span_ns` that is exposed stall of waits",
          S ? std::optional(S->exposed()) : std::nullopt);
  F.field("launches_blocked_ns",
          "the part of `host_ns` in which a call was blocked because the GPU's "
          "command queue was full; null: as in `summary`",
          S ? blocked(Subject.R, S->Blocked) : std::nullopt);
  F.choice("regime",
           "what limits the steps "
           "([reports-reference.md](reports-reference.md#rules-for-the-limit))",
           of(S, &Steady::Limit), Regime::HeldUp);
  F.text("regime_why", "one sentence with the figures that decide it",
         S ? regimeText(Subject) : "");
  idleFields(F, Subject, /*OfSteps=*/true, S.has_value());
}

void stepFields(Fields &F, const Input &Subject) {
  const Steps &S = Subject.R.Steps;
  const bool Any = !S.List.empty();
  const std::vector<int64_t> Times = S.times();
  F.field("count", "0: none found", S.List.size());
  F.text("source", "where the steps come from", S.Source);
  F.choice("found_by",
           "`range`: runs of a range; `repetition`: no range marks them, and "
           "the same work repeats",
           onlyIf(S.From != StepsFrom::Nothing, S.From),
           {StepsFrom::Range, StepsFrom::Repetition});
  F.choice("confidence",
           "that these are the program's steps; of a range `high`",
           onlyIf(Any, S.Sure), Confidence::High);
  F.field("median_ns", "step time, without the warm-up",
          Times.empty() ? std::nullopt : std::optional(median(Times)));
  F.field("p95_ns", "95th percentile of the step time, without the warm-up",
          Times.empty() ? std::nullopt : std::optional(quantile(Times, 0.95)));
  F.field("lead_median_ns",
          "GPU work still queued when a step ended on the CPU",
          S.FromGpu && Any ? std::optional(median(S.leads())) : std::nullopt);
  F.field("warm_up", "first steps that are not in the statistics", S.WarmUp);
  F.field("without_gpu_work",
          "iterations that called nothing of the GPU's and are not steps, for "
          "example one that only prints the last result",
          S.Empty);
  F.choice("clock",
           "`gpu`: from the end of one step's GPU work to the end of the next "
           "one's; `host`: the loop's own time",
           !Any        ? ""
           : S.FromGpu ? "gpu"
                       : "host",
           {"gpu", "host", ""});
  F.field("measured",
          "steps that count: all but the warm-up. Divide the sums below, and "
          "`sites[].steps`, by it for means per step",
          S.measured());
  innerFields(F, Subject);
  kindFields(F, Subject);
  steadyFields(F, Subject);
}

void recorderFields(Fields &F, const Input &Subject) {
  const RecorderCostRange &Adds = Subject.R.RecorderAdds;
  F.object("added",
           "what recording adds to calls, on the launching thread; the bounds "
           "that replays of the unrecorded run use",
           [&] {
             F.field(
                 "measured",
                 "on this machine; else the values of machines with an H200",
                 Adds.Measured);
             F.field("launch_low_ns", "to a call that queues work",
                     Adds.Least.Launch);
             F.field("launch_high_ns", "likewise", Adds.Most.Launch);
             F.field("call_low_ns", "to any other call", Adds.Least.Call);
             F.field("call_high_ns", "likewise", Adds.Most.Call);
           });
}

void siteFields(Fields &F, const Input &Subject, const SiteRow &Row) {
  const trace::Site *Place = siteAt(Subject.T, Row.Site);
  const llvm::StringRef Name = callName(Row);
  callSiteFields(F, Place);
  F.text(
      "expression",
      "the expression in the source that makes the call, on one line, as "
      "`loss.item()`; null: not known. Only of Python from 3.11 on, recorded "
      "with `--stacks`, where the file is there and has not changed since",
      Place ? Place->Expression : "");
  F.field(
      "call",
      "the call at the site (of a launch: the kernel), or the API call's name",
      Row.Call);
  F.text("user_name",
         "what PyTorch's users call the operators of `call`: `Tensor.item`; "
         "null: the same, or not known",
         Name == Row.Call ? "" : Name);
  F.choice("kind",
           "class of the call; `operator`: `call` is the path of a framework's "
           "operators ([import.md](import.md))",
           Row.Kind, SiteKinds);
  F.field("count",
          "how often the site ran, or the call was made; of a line that is "
          "known by host stacks only: the calls that have a stack",
          Row.Count);
  F.field("host_ns", "host time inside it", Row.HostTime);
  F.field("wait_ns", "sum of its waits", Row.Wait);
  F.field("wait_median_ns", "over `count` runs; runs without a wait count as 0",
          Row.WaitMedian);
  F.field("wait_p95_ns", "95th percentile, likewise", Row.WaitP95);
  F.field("waits", "how often it waited", Row.Waits);
  F.field("exposed_ns", "exposed stall", Row.Exposed);
  F.field("gain_low_ns",
          "what removing it alone saves, at least; null where it waits in the "
          "steps that count, whose gain is in `steps`",
          of(Row.gainOfRun(), &Gain::Low));
  F.field("gain_high_ns", "at most", of(Row.gainOfRun(), &Gain::High));
  F.text("gain_note", "why the gain is only a bound; null when it was replayed",
         Row.GainNote);
  F.object("steps",
           "the site's part of the steps that count, as sums; null without "
           "such steps",
           Row.Steps, [&](const SiteSteps &S) {
             const Gain Gained = Row.gainOfSteps().value_or(Gain());
             F.field("waits", "how often it waited there", S.Waits);
             F.field("wait_ns", "sum of those waits", S.Wait);
             F.field("exposed_ns", "their exposed stall", S.Exposed);
             F.field("gain_low_ns", "what removing it alone saves, at least",
                     Gained.Low);
             F.field("gain_high_ns", "at most", Gained.High);
           });
  F.field("outside_steps",
          "true: it waits, but not in the steps that count; null when it does "
          "not wait, or without steps",
          onlyIf(Row.Steps && Row.Waits, Row.isOutside()));
  F.choice("verdict", "null when it did not wait and is not in `answer`",
           Row.Judged.Kind, Verdict::NotWorthIt);
  F.text("advice", "one sentence", judgementText(Row));
  expectedGainFields(F, Subject, Row);
  F.list("tried", "what `--try` has of it; empty: nothing",
         Subject.triedAt(Row), [&](const TriedChange &C) {
           F.choice("how", "as in [autoprof-try/1](schemas/autoprof-try-1.md)",
                    C.How, Switched::NotWaiting);
           F.field("saved_low_ns",
                   "measured, per step: the lower end of the 95 % interval",
                   C.Saved.Low, Bounds::Any);
           F.field("saved_high_ns", "its upper end", C.Saved.High, Bounds::Any);
           F.field("verdict", "`faster`: it is certain", C.Verdict);
           F.text("output", "what the program printed; null: not known",
                  C.Output);
         });
  F.field("depth_median", "run-ahead depth when its waits began",
          Row.DepthMedian);
  F.field("lead_median_ns", "lead when its waits began", Row.LeadMedian);
}

/// Nothing if the recording cannot show it: not all calls, or not all that was
/// recorded, are in it.
std::optional<std::vector<std::string>> unreached(const Input &Subject) {
  const Timeline &T = Subject.T;
  const trace::ReadLoss &U = T.Unread;
  if (T.Info.Mode != "full" || T.Lost.ProbesDropped || U.BytesDropped ||
      U.BytesSkipped || U.PacketsDamaged)
    return std::nullopt;
  std::vector<bool> Ran(T.Sites.size());
  for (const SiteRow &Row : Subject.R.Sites)
    if (Row.Site != trace::None)
      Ran[Row.Site] = true;
  std::vector<std::string> Ids;
  for (size_t I = 0; I < T.Sites.size(); ++I)
    if (const trace::Site &S = T.Sites[I];
        S.Id && !Ran[I] && S.Kind != "function" && S.Kind != "loop")
      Ids.push_back(fmt::format("{:#018x}", S.Id));
  return Ids;
}

llvm::StringRef deviceName(const Timeline &T, uint32_t Id) {
  for (const trace::Device &D : T.Devices)
    if (D.Id == Id)
      return D.Name;
  return "";
}

} // namespace

void report::reportFields(Fields &F, const Input &Subject) {
  const Timeline &T = Subject.T;
  const Result &R = Subject.R;
  F.format(
      "autoprof-report/1",
      "One recording: `--format=json` of `autoprof report` with one trace.");
  const trace::Process *const Inputs[] = {&T.Info};
  F.list("inputs", "the trace", Inputs, [&](const trace::Process &P) {
    inputFields(F, Subject.Path, P, T.Unread.FileBytes, R.Measured);
  });
  F.object("loss", "what is missing from the trace; all 0 when nothing is",
           [&] { lossFields(F, T); });
  F.list("throttled",
         "ranges whose brief runs without GPU work were not recorded "
         "([runtime.md](runtime.md#throttled-ranges)); of the whole recording, "
         "also with `--window`",
         T.Throttled, [&](const trace::ThrottledRange &Row) {
           const trace::Site *Place = siteAt(T, Row.Site);
           placeFields(F, Place);
           F.choice("kind", "kind of range", Place->Kind,
                    {"function", "loop", ""});
           F.field("runs",
                   "how often it ran, recorded or not; null where the trace "
                   "holds only part of the run",
                   allRuns(Subject, Row));
           F.field(
               "runs_not_recorded",
               "the runs that were not recorded; they are in no other figure",
               Row.Runs);
           F.field("total_ns", "the time in those runs", Row.Time);
         });
  F.object("graph_launches",
           "launches of CUDA graphs ([runtime.md](runtime.md#cuda-graphs))",
           [&] {
             F.field("whole",
                     "recorded as one operation each, named `CUDA graph ID`",
                     R.Graphs.Whole);
             F.field("by_node",
                     "recorded node by node; if there are any in the steps, "
                     "`what_if[].unrecorded_*` is null",
                     R.Graphs.ByNode);
           });
  F.object("recorded", "which part of the run was recorded",
           [&] { recordedFields(F, T); });
  F.object("window",
           "the part chosen with `--window`; `recorded.windows[]` are then cut "
           "to it. Null: all that was recorded",
           T.Part, [&](const trace::Cut &C) { partFields(F, C); });
  F.object("summary", "the whole run", [&] { summaryFields(F, R); });
  F.list("devices", "one for each GPU used", R.Devices,
         [&](const DeviceActivity &D) {
           F.field("id", "CUDA's device number", D.Device);
           F.text("name", "as CUDA reports it", deviceName(T, D.Device));
           F.field("ops", "GPU operations", D.Ops);
           F.field("span_ns",
                   "from the first to the last operation, without pauses that "
                   "were partly not recorded",
                   D.span());
           F.field("busy_ns", "time in which at least one operation ran",
                   D.Busy);
         });
  F.object(
      "steps",
      "iterations of the outermost hot loop, or those chosen with `--step`",
      [&] { stepFields(F, Subject); });
  phaseFields(F, Subject);
  F.object("recorder",
           "what the recorder adds; how much longer the steps take is unknown",
           [&] { recorderFields(F, Subject); });
  F.list("sites",
         "every site that ran, and every call without a source line that "
         "waited: first those that wait in the steps that count, then those "
         "that wait outside of them, then the others; each by exposed stall "
         "(of the steps), descending",
         R.Sites, [&](const SiteRow &Row) { siteFields(F, Subject, Row); });
  F.field("unreached",
          "ids of the sites that have a probe and never ran; null: the "
          "recording cannot tell (another mode than `full`, or losses)",
          unreached(Subject));
  profileFields(F, Subject);
  idleFields(F, Subject, /*OfSteps=*/false, true);
  hostLineFields(F, Subject);
  whatIfFields(F, Subject);
  transferFields(F, Subject);
  findingFields(F, Subject);
}

void report::writeReportJson(llvm::raw_ostream &Out, const Input &Subject,
                             const TextStyle &) {
  writeFields(Out, [&](Fields &F) { reportFields(F, Subject); });
}
