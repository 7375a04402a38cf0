// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON that programs read; docs/json.md describes each key. Times are
// integer nanoseconds. Unknown values are null, never a guess.
#include "report/Format.h"
#include "report/JsonFields.h"
#include "report/recording/CallName.h"
#include "report/recording/Formats.h"
#include "report/recording/IdleSentences.h"
#include "report/recording/JsonParts.h"
#include "report/recording/Report.h"
#include "report/recording/Sentences.h"
#include "report/recording/Throttled.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
using trace::Timeline;
namespace json = llvm::json;

namespace {

void loss(json::OStream &J, const Timeline &T) {
  J.attributeObject("loss", [&] {
    const trace::Loss &L = T.Lost;
    const trace::ReadLoss &U = T.Unread;
    J.attribute("cupti_dropped", L.CuptiDropped);
    J.attribute("probes_dropped", L.ProbesDropped);
    J.attribute("zero_timestamps", L.ZeroTimestamps);
    J.attribute("buffers_refused", L.BuffersRefused);
    J.attribute("write_errors", L.WriteErrors);
    J.attribute("probes_unbalanced", L.ProbesUnbalanced);
    J.attribute("stacks_dropped", L.StacksDropped);
    J.attribute("bytes_dropped", U.BytesDropped);
    J.attribute("bytes_skipped", U.BytesSkipped);
    J.attribute("packets_damaged", U.PacketsDamaged);
    J.attribute("slices_unpaired", U.SlicesUnpaired);
    J.attribute("events_invalid", U.EventsInvalid);
  });
}

void throttled(json::OStream &J, const Input &Subject) {
  J.attributeArray("throttled", [&] {
    for (const trace::ThrottledRange &R : Subject.T.Throttled)
      J.object([&] {
        sitePlace(J, siteAt(Subject.T, R.Site));
        text(J, "kind", Subject.T.Sites[R.Site].Kind);
        optional(J, "runs", allRuns(Subject, R));
        J.attribute("runs_not_recorded", R.Runs);
        J.attribute("total_ns", R.Time);
      });
  });
}

/// Without a plan the whole run was recorded.
void windows(json::OStream &J, const Timeline &T) {
  const trace::Windows &W = T.Recorded;
  J.attributeObject("recorded", [&] {
    text(J, "plan", T.plan());
    optional(J, "steps_seen", W.StepsSeen);
    optional(J, "steps_recorded", W.StepsRecorded);
    J.attributeArray("windows", [&] {
      for (const trace::Window &One : W.List)
        J.object([&] {
          J.attribute("start_ns", One.Start);
          optional(J, "end_ns",
                   One.End <= T.end() ? std::optional(One.End) : std::nullopt);
        });
    });
  });
}

/// Null: all that was recorded is analyzed.
void part(json::OStream &J, const Timeline &T) {
  if (!T.Part) {
    J.attribute("window", nullptr);
    return;
  }
  const trace::Cut &C = *T.Part;
  J.attributeObject("window", [&] {
    J.attribute("start_ns", C.Kept.Start);
    J.attribute("end_ns", C.Kept.End);
    J.attribute("recording_start_ns", C.Whole.Start);
    J.attribute("recording_end_ns", C.Whole.End);
    J.attribute("host_events_outside", C.HostEvents);
    J.attribute("operations_outside", C.Operations);
  });
}

/// Nothing where no record shows it: not every profiler makes them.
void blocked(json::OStream &J, const Result &R, const BlockedCalls &Part) {
  optional(J, "launches_blocked_ns",
           R.Blocked.Count ? std::optional(Part.Time) : std::nullopt);
}

void summary(json::OStream &J, const Result &R) {
  J.attributeObject("summary", [&] {
    J.attribute("wall_ns", R.Wall);
    J.attribute("recorded_ns", R.Recorded);
    J.attribute("operations_without_launch", R.Unlaunched.Count);
    if (R.WaitsKnown) {
      J.attribute("gpu_span_ns", R.Span);
      J.attribute("wait_ns", R.Waited);
      J.attribute("drains", R.Drains);
      J.attribute("drains_behind_waits", R.WaitDrains);
      blocked(J, R, R.Blocked);
    } else {
      for (const char *Key : {"gpu_span_ns", "wait_ns", "drains",
                              "drains_behind_waits", "launches_blocked_ns"})
        J.attribute(Key, nullptr);
    }
  });
}

void devices(json::OStream &J, const Input &Subject) {
  J.attributeArray("devices", [&] {
    for (size_t I = 0; I < Subject.R.Devices.size(); ++I) {
      const DeviceActivity &D = Subject.R.Devices[I];
      J.object([&] {
        J.attribute("id", D.Device);
        text(J, "name", Subject.T.Devices[I].Name);
        J.attribute("ops", D.Ops);
        J.attribute("span_ns", D.span());
        J.attribute("busy_ns", D.Busy);
      });
    }
  });
}

/// The parts of a row that are about the run, or about the steps that count.
struct Scope {
  CauseTotal ReasonRow::*Totals;
  uint32_t ReasonRow::*Busy;
  BusySums BusyRow::*Sums;
  CauseTotal ReasonOperator::*OfOperator;
};
constexpr Scope OfRun{&ReasonRow::Run, &ReasonRow::BusyInRun, &BusyRow::Run,
                      &ReasonOperator::Run},
    OfSteps{&ReasonRow::Steps, &ReasonRow::BusyInSteps, &BusyRow::Steps,
            &ReasonOperator::Steps};

/// What names a cause, by total.
void reasons(json::OStream &J, const Input &Subject, Cause Wanted,
             const Scope &Of) {
  J.attributeArray("reasons", [&] {
    for (const ReasonRow &Row : Subject.R.Reasons) {
      const CauseTotal &Total = Row.*Of.Totals;
      if (Row.Key.Kind != Wanted || !Total.Count)
        continue;
      const trace::Site *Place = siteAt(Subject.T, Row.Key.Site);
      J.object([&] {
        sitePlace(J, Place);
        text(J, "range", rangeName(Subject.T, Row.Key));
        text(J, "call",
             Row.Key.Call == trace::None ? ""
                                         : Subject.T.Strings[Row.Key.Call]);
        text(J, "why", analysis::name(Row.Key.Why));
        busyEndsJson(J, Subject, Row.*Of.Busy);
        J.attribute("count", Total.Count);
        J.attribute("total_ns", Total.Total);
        J.attributeArray("operators", [&] {
          for (const ReasonOperator &One : Row.Operators)
            if ((One.*Of.OfOperator).Count)
              J.object([&] {
                text(J, "name", Subject.T.Strings[One.Name]);
                J.attribute("count", (One.*Of.OfOperator).Count);
                J.attribute("total_ns", (One.*Of.OfOperator).Total);
              });
        });
      });
    }
  });
}

void gaps(json::OStream &J, const Input &Subject,
          const std::vector<CauseTotal> &Gaps, const Scope &Of) {
  J.attributeArray("gaps", [&] {
    for (unsigned I = 0; I < NumCauses; ++I)
      if (Gaps[I].Count)
        J.object([&] {
          J.attribute("cause", analysis::name(Cause(I)));
          J.attribute("count", Gaps[I].Count);
          J.attribute("total_ns", Gaps[I].Total);
          reasons(J, Subject, Cause(I), Of);
        });
  });
  busyCpuJson(J, Subject, Of.Sums);
}

/// Sums over the steps that count.
void steady(json::OStream &J, const Input &Subject) {
  const std::optional<Steady> &S = Subject.R.InSteps;
  if (!S) {
    for (const char *Key :
         {"host_ns", "span_ns", "busy_ns", "wait_ns", "exposed_ns",
          "launches_blocked_ns", "regime", "regime_why"})
      J.attribute(Key, nullptr);
    J.attributeArray("gaps", [] {});
    J.attributeArray("cpu_busy", [] {});
    return;
  }
  J.attribute("host_ns", S->HostTime);
  J.attribute("span_ns", S->Span);
  J.attribute("busy_ns", S->Busy);
  J.attribute("wait_ns", S->Waited);
  J.attribute("exposed_ns", S->exposed());
  blocked(J, Subject.R, S->Blocked);
  J.attribute("regime", analysis::name(S->Limit));
  J.attribute("regime_why", regimeText(Subject));
  gaps(J, Subject, S->Gaps, OfSteps);
}

void steps(json::OStream &J, const Input &Subject) {
  const Result &R = Subject.R;
  const Steps &S = R.Steps;
  J.attributeObject("steps", [&] {
    J.attribute("count", int64_t(S.List.size()));
    text(J, "source", S.Source);
    text(J, "found_by", analysis::name(S.From));
    text(J, "confidence", S.List.empty() ? "" : analysis::name(S.Sure));
    text(J, "maybe_layers", S.Layers);
    std::optional<int64_t> Median, P95, Lead;
    if (!S.times().empty()) {
      Median = median(S.times());
      P95 = quantile(S.times(), 0.95);
    }
    if (S.FromGpu && !S.List.empty())
      Lead = median(S.leads());
    optional(J, "median_ns", Median);
    optional(J, "p95_ns", P95);
    optional(J, "lead_median_ns", Lead);
    J.attribute("warm_up", int64_t(S.WarmUp));
    J.attribute("without_gpu_work", int64_t(S.Empty));
    text(J, "clock", S.List.empty() ? "" : S.FromGpu ? "gpu" : "host");
    J.attribute("measured", int64_t(S.measured()));
    steady(J, Subject);
  });
}

void siteSteps(json::OStream &J, const std::optional<SiteSteps> &S) {
  if (!S)
    return J.attribute("steps", nullptr);
  J.attributeObject("steps", [&] {
    J.attribute("waits", S->Waits);
    J.attribute("wait_ns", S->Wait);
    J.attribute("exposed_ns", S->Exposed);
    J.attribute("gain_low_ns", S->Gained.Low);
    J.attribute("gain_high_ns", S->Gained.High);
  });
}

void site(json::OStream &J, const Input &Subject, const SiteRow &Row) {
  sitePlace(J, siteAt(Subject.T, Row.Site));
  const trace::Site *Place = siteAt(Subject.T, Row.Site);
  text(J, "expression", Place ? Place->Expression : "");
  J.attribute("call", json::fixUTF8(Row.Call));
  text(J, "user_name", callName(Row) == Row.Call ? "" : callName(Row));
  text(J, "rule", ruleOf(Subject, Row));
  J.attribute("kind", Row.Kind);
  J.attribute("count", Row.Count);
  J.attribute("host_ns", Row.HostTime);
  optional(J, "wait_ns", Row.Wait);
  optional(J, "wait_median_ns", Row.WaitMedian);
  optional(J, "wait_p95_ns", Row.WaitP95);
  J.attribute("waits", Row.Waits);
  optional(J, "exposed_ns", Row.Exposed);
  std::optional<int64_t> Low, High;
  if (Row.Gained) {
    Low = Row.Gained->Low;
    High = Row.Gained->High;
  }
  optional(J, "gain_low_ns", Low);
  optional(J, "gain_high_ns", High);
  text(J, "gain_note", Row.GainNote);
  siteSteps(J, Row.Steps);
  optional(J, "outside_steps",
           Row.Steps && Row.Waits ? std::optional(Row.isOutside())
                                  : std::nullopt);
  text(J, "verdict", analysis::name(Row.Judged.Kind));
  text(J, "advice", judgementText(Row));
  std::optional<int64_t> AdvisedLow, AdvisedHigh;
  if (Row.Advised) {
    AdvisedLow = Row.Advised->Low;
    AdvisedHigh = Row.Advised->High;
  }
  optional(J, "advised_gain_low_ns", AdvisedLow);
  optional(J, "advised_gain_high_ns", AdvisedHigh);
  expectedGainJson(J, Subject, Row);
  optional(J, "depth_median", Row.DepthMedian);
  optional(J, "lead_median_ns", Row.LeadMedian);
}

/// Null if the recording cannot show it: not all calls, or not all that was
/// recorded, are in it.
void unreached(json::OStream &J, const Input &Subject) {
  const Timeline &T = Subject.T;
  const trace::ReadLoss &U = T.Unread;
  if (T.Info.Mode != "full" || T.Lost.ProbesDropped || U.BytesDropped ||
      U.BytesSkipped || U.PacketsDamaged)
    return J.attribute("unreached", nullptr);
  std::vector<bool> Ran(T.Sites.size());
  for (const SiteRow &Row : Subject.R.Sites)
    if (Row.Site != trace::None)
      Ran[Row.Site] = true;
  J.attributeArray("unreached", [&] {
    for (size_t I = 0; I < T.Sites.size(); ++I)
      if (const trace::Site &S = T.Sites[I];
          S.Id && !Ran[I] && S.Kind != "function" && S.Kind != "loop")
        J.value(fmt::format("{:#018x}", S.Id));
  });
}

} // namespace

llvm::StringRef report::ruleOf(const Input &Subject, const SiteRow &Row) {
  if (!Subject.Audit || Row.Site == trace::None)
    return "";
  const trace::Site &S = Subject.T.Sites[Row.Site];
  return Subject.Audit->find(
      {S.Id, S.File, S.Line, S.Column, S.Function, Row.Call});
}

void report::writeReportJson(llvm::raw_ostream &Out, const Input &Subject,
                             const TextStyle &) {
  json::OStream J(Out, 2);
  const Result &R = Subject.R;
  J.object([&] {
    J.attribute("schema", "autoprof-report/1");
    J.attributeArray("inputs", [&] {
      J.object([&] {
        input(J, Subject.Path, Subject.T.Info, Subject.T.Unread.FileBytes,
              Subject.R.Measured);
      });
    });
    loss(J, Subject.T);
    throttled(J, Subject);
    J.attributeObject("graph_launches", [&] {
      J.attribute("whole", R.Graphs.Whole);
      J.attribute("by_node", R.Graphs.ByNode);
    });
    windows(J, Subject.T);
    part(J, Subject.T);
    summary(J, R);
    devices(J, Subject);
    steps(J, Subject);
    recorderJson(J, Subject);
    J.attributeArray("sites", [&] {
      for (const SiteRow &Row : R.Sites)
        J.object([&] { site(J, Subject, Row); });
    });
    unreached(J, Subject);
    profileJson(J, Subject);
    deviceMemoryJson(J, Subject);
    gaps(J, Subject, R.Gaps, OfRun);
    writeWhatIfs(J, Subject);
    writeTransfers(J, Subject);
    findingsJson(J, Subject);
  });
  Out << '\n';
}
