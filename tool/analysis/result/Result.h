// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that a report shows about one recording, as plain data.
#pragma once

#include "analysis/common/Names.h"
#include "analysis/profile/Profile.h"
#include "analysis/profile/Utilization.h"
#include "analysis/replay/Estimate.h"
#include "analysis/replay/WhatIfTable.h"
#include "analysis/result/Decision.h"
#include "analysis/stalls/BusyHost.h"
#include "analysis/stalls/Gaps.h"
#include "analysis/stalls/HostLines.h"
#include "analysis/steps/Kinds.h"
#include "analysis/steps/Steps.h"
#include "analysis/transfers/Transfers.h"
#include "analysis/waits/RunAhead.h"
#include "analysis/waits/Waits.h"

#include "llvm/Support/JSON.h"

#include <optional>

namespace autoprof::analysis {

/// What limits the steps. See docs/reports.md, "What limits the steps".
enum class Regime : uint8_t {
  LaunchBound,   ///< Launching takes longer than the work launched.
  CpuBound,      ///< The host does other things.
  Between,       ///< None of the others.
  GpuBound,      ///< The GPU always has work, and does it.
  TransferBound, ///< Most of it is copying.
  HeldUp,        ///< The GPU has work queued and starts it late.
};

/// Whether the host limits the steps.
inline bool isHostBound(Regime R) {
  return R == Regime::LaunchBound || R == Regime::CpuBound;
}

inline Limiter limiter(Regime R) {
  if (isHostBound(R))
    return Limiter::Host;
  return R == Regime::GpuBound ? Limiter::Gpu : Limiter::Both;
}

inline llvm::StringRef name(Regime R) {
  return nth(R, {"launch_bound", "cpu_bound", "in_between", "gpu_bound",
                 "transfer_bound", "held_up"});
}
/// In words, for reports.
inline llvm::StringRef phrase(Regime R) {
  return nth(R, {"launch-bound", "CPU-bound", "no single limit", "GPU-bound",
                 "transfer-bound", "held up"});
}

/// How long calls were held up: by a full command queue of the GPU, or by
/// something else that CUPTI records. A full queue is no wait for certain work:
/// any operation that finishes makes room.
struct BlockedCalls {
  uint64_t Count = 0; ///< Of the profiler's records.
  /// ns in which at least one call was blocked.
  int64_t Time = 0;
};

/// From the overhead records of this kind that overlap `Part`. None of them: no
/// call was blocked, or the profiler does not record it.
BlockedCalls
findBlockedCalls(const trace::Timeline &T, trace::Window Part,
                 trace::OverheadKind Kind = trace::OverheadKind::QueueFull);

/// What one step costs once the program runs steadily: sums over the steps
/// after the warm-up; times in ns. A short recording of a long training run is
/// mostly start-up, so shares of its whole time are misleading.
///
/// Host and GPU have their own windows, as a CPU that runs ahead is in later
/// steps than its GPU: on the host from the start of the first step that counts
/// to the end of the last one; on the GPU between the ends of the GPU work of
/// the steps before and of the last one (the same instants that step times are
/// taken from). Waits belong to the host's window, and GPU gaps to the GPU's.
/// Of what crosses an edge, the part inside counts.
struct Steady {
  size_t Count = 0;
  trace::Window Host{0, 0}, Gpu{0, 0};
  int64_t HostTime = 0; ///< Length of the host's window.
  int64_t Span = 0;     ///< Length of the GPU's, summed over devices in use.
  int64_t Busy = 0;     ///< With Gaps it sums up to Span.
  std::vector<CauseTotal> Gaps;   ///< By Cause.
  int64_t Waited = 0;             ///< Sum of WaitOf.
  BlockedCalls Blocked;           ///< In the host's window.
  std::vector<int64_t> WaitOf;    ///< Part of each wait.
  std::vector<int64_t> ExposedOf; ///< Part of each wait's exposed stall.
  Utilization Used;               ///< What the GPU did in its window.
  Regime Limit = Regime::Between;

  int64_t exposed() const { return Gaps[unsigned(Cause::ExposedWait)].Total; }
  /// Idle time in which the GPU had nothing queued.
  int64_t starved() const;
  /// Idle time before operations that were queued already: the GPU's own.
  int64_t pauses() const;
  /// Idle time before operations that were queued and started late.
  int64_t late() const { return Gaps[unsigned(Cause::QueuedLate)].Total; }
};

/// nullopt without steps, or without GPU work in them.
std::optional<Steady> findSteady(const trace::Timeline &T, const Steps &S,
                                 const std::vector<Wait> &Waits,
                                 const Idling &I);

/// A row's part of the steps that count; see Steady.
struct SiteSteps {
  uint64_t Waits = 0;            ///< Times it waited in them.
  int64_t Wait = 0, Exposed = 0; ///< ns, sums.
};

/// What the replay knows about the machine. Pauses by whether one operation is
/// a kernel and the other a copy.
struct ReplayConstants {
  ConstantSource Pauses[2];
  bool PausesUsed[2];
  uint64_t Collectives; ///< Operations in the run; see Replay::collectives.
};

/// One row of the report: a site, or the calls of one name without a site.
/// Times in ns. Values that depend on waits are unknown (nullopt) if the trace
/// has no GPU work to compare with.
struct SiteRow {
  uint32_t Site = trace::None; ///< Into Timeline::Sites.
  uint32_t Group = 0;          ///< See groupOf.
  std::string Call;            ///< Callee, or the name of the API call.
  std::string Kind;            ///< Class of the catalogue.
  uint64_t Count = 0;          ///< Times the site ran, or calls.
  uint64_t Waits = 0;          ///< Times it waited.
  int64_t HostTime = 0;        ///< Inside the site, or the calls.
  std::optional<int64_t> Wait, WaitMedian, WaitP95; ///< Per Count.
  std::optional<int64_t> Exposed;
  /// By removing it alone: sums over the steps that count, where it waits in
  /// these, else over the run.
  std::optional<Gain> Gained;
  std::optional<SiteSteps> Steps;     ///< Where Result::InSteps is known.
  std::string GainNote;               ///< Why the gain is only a bound, or "".
  std::optional<double> DepthMedian;  ///< When the waits began.
  std::optional<int64_t> LeadMedian;  ///< When the waits began.
  uint32_t LongestWait = trace::None; ///< Into Result::Waits.
  /// How many steps had begun when it first waited, or, if it never did, first
  /// ran. One more than there are steps: after them.
  size_t FirstIn = 0;
  Judgement Judged; ///< Of the waits in steps, where there are any.
  Promise Promised; ///< What a report promises for it.

  /// Whether it waits before, after or between the steps that count, only.
  bool isOutside() const { return Waits && Steps && !Steps->Waits; }
  bool waitsInSteps() const { return Steps && Steps->Waits; }
  std::optional<Gain> gainOfRun() const {
    return waitsInSteps() ? std::nullopt : Gained;
  }
  std::optional<Gain> gainOfSteps() const {
    return waitsInSteps() ? Gained : std::nullopt;
  }
  /// Of the steps that count, or of the run; 0 if unknown.
  int64_t wait(bool InSteps) const {
    return InSteps ? Steps->Wait : Wait.value_or(0);
  }
  int64_t exposed(bool InSteps) const {
    return InSteps ? Steps->Exposed : Exposed.value_or(0);
  }
  /// `Table`: Timeline::Sites. Id 0 and no file without a source line.
  const trace::Site &place(const std::vector<trace::Site> &Table) const {
    static const trace::Site Nowhere;
    return Site == trace::None ? Nowhere : Table[Site];
  }
};

/// What one phase of a program holds (findPhases), so that a report about
/// the steps of one of them does not hide the others. Sums over all steps,
/// warm-up included; ns.
struct PhaseSums {
  std::string Source, Name; ///< As in Steps.
  size_t Steps = 0;
  /// From the start of the first step's work to the end of the last one's, on
  /// the clock of the steps; without what other phases take in between.
  int64_t Time = 0;
  int64_t Gpu = 0;     ///< Of the operations launched in it.
  int64_t Waited = 0;  ///< Of its calls.
  int64_t Exposed = 0; ///< Of the waits that begin in it.

  int64_t mean() const { return Time / int64_t(std::max<size_t>(1, Steps)); }
};

/// First that of `S`, then its Others; empty without steps.
std::vector<PhaseSums> sumPhases(const trace::Timeline &T, const Steps &S,
                                 const std::vector<Wait> &Waits,
                                 const Exposure &Stalls);

enum class Severity : uint8_t {
  Note,   ///< Good to know; changing it gains little, or an unknown amount.
  Warning ///< Costs the steps time that can be recovered.
};

inline llvm::StringRef name(Severity S) { return nth(S, {"note", "warning"}); }

/// What stands out in a recording, besides its waits; see findings/Scene.h.
struct Finding {
  llvm::StringRef Rule; ///< "tiny-kernels"; set by findFindings.
  analysis::Severity Severity = analysis::Severity::Note;
  std::string Message; ///< One sentence, with the figures.
  std::string Advice;  ///< What to do.
  std::string Doubt;   ///< The caveat: what the trace does not show; may be "".
  llvm::json::Object Evidence; ///< The figures: ..._ns, ..._bytes, counts;
                               ///< ..._share from 0 to 1; names.
  int64_t Cost = 0;            ///< ns at stake; findings are sorted by it.
};

struct Result : Idling {
  /// What was measured on the machine of the recording, or null.
  const catalogue::Semantics *Measured = nullptr;
  bool WaitsKnown = false; ///< Whether GPU work was recorded.
  int64_t Wall = 0;        ///< ns, the process's lifetime while recording.
  int64_t Recorded = 0;    ///< ns, how much of Wall was recorded.
  int64_t Span = 0;        ///< ns, first to last GPU operation, all devices,
                           ///< as far as it was recorded.
  int64_t Waited = 0;      ///< ns, sum of all waits.
  BlockedCalls Blocked;    ///< In the whole run.
  analysis::Unlaunched Unlaunched;
  uint64_t Drains = 0;     ///< Times a device ran out of queued work.
  uint64_t WaitDrains = 0; ///< Those that are the exposed stall of a wait.
  /// First those that wait in the steps, then those that wait outside, then
  /// the others; by exposed stall (in the steps), then wait, then host time.
  std::vector<SiteRow> Sites;
  std::vector<CallRow> Calls;     ///< By total, descending, as the next ones.
  std::vector<KernelRow> Kernels; ///< Copies and sets, too.
  std::vector<MemoryRow> Memory;
  std::vector<RangeRow> Ranges;
  std::vector<OperatorRow> Operators;
  Utilization Used;             ///< In the steps that count, or in the run.
  std::vector<CauseTotal> Gaps; ///< By Cause.
  /// Where the CPU was meanwhile, in the steps that count, or in the run; no
  /// order.
  std::vector<BusyRow> Busy;
  /// Likewise; where the CPU was sampled.
  std::optional<HostLines> Lines;
  GraphLaunches Graphs; ///< In the whole recording.
  WhatIfTable WhatIfs;
  std::vector<TransferRow> Transfers; ///< As sumTransfers orders them.
  /// Where the constants of the replay come from; where it was made.
  std::optional<ReplayConstants> Constants;
  analysis::Steps Steps;
  RecorderCostRange RecorderAdds; ///< To calls, for replays of unrecorded runs.
  std::optional<Steady> InSteps;  ///< Where steps with GPU work were found.
  std::vector<StepKind> Kinds;    ///< Of the steps that count; see findKinds.
  std::vector<PhaseSums> Phases;  ///< Of Steps and Steps::Others.
  /// Into Phases: where nothing in Steps is worth a change, another phase whose
  /// waits leave the GPU idle for a hundredth of its time or more.
  std::optional<size_t> WaitsElsewhere;

  /// Where allocations were recorded, one for each device.
  std::vector<DeviceMemory> Memories;
  Decision Decided;              ///< What is worth a change.
  std::vector<Finding> Findings; ///< Warnings first, then by cost.

  std::vector<Wait> Waits; ///< One by one; for timelines, as Idling is.

  /// Whether there are steps on the GPU's clock, which replays can tell.
  bool onGpuClock() const { return InSteps && Steps.FromGpu; }
  /// The Span of these steps, or of the run.
  int64_t whole() const { return onGpuClock() ? InSteps->Span : Span; }
};

} // namespace autoprof::analysis
