// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While the window is closed the program runs as it would without recording:
// probes and NVTX calls only test a flag, and CUPTI's records of calls and GPU
// work are switched off (Cupti.cpp explains which stay on and why). The user
// chooses what opens and closes the window; each choice ends in openWindow()
// and closeWindow():
//
//   * the program's steps, which a range of it marks: the hooks of probes and
//     NVTX report the ends of ranges here (RangeWatcher);
//   * the clock: the flush thread checks it each time it wakes;
//   * cudaProfilerStart and cudaProfilerStop: CUPTI calls back;
//   * the program (autoprof_start) or the user (`autoprof attach`).
//
// The time of an edge is taken while everything is on (after switching on,
// before switching off), so whatever the trace claims to cover was recorded. A
// range or probe that is open at an edge is not in the trace, because one of
// its ends was not seen.
//
// In the mode "steps" only the edges are recorded, to find out how long steps
// take in a program that is not recorded. A CPU that runs ahead ends its steps
// before the GPU does, so at each edge the GPU is waited for as well: the time
// between two edges is what the steps between them took, whether the CPU or the
// GPU limits them. Before the first edge that opens, a few hundred reference
// launches show what a launch costs in this process.
//
// Steps are counted on one thread, the first that begins one: other threads
// that do the same work do not take steps of the program.
#include "runtime/control/Window.h"

#include "runtime/cupti/Cupti.h"
#include "runtime/cupti/Driver.h"
#include "runtime/probes/Sites.h"
#include "runtime/protocol/RangeName.h"
#include "runtime/support/Clock.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <utility>

namespace autoprof::runtime {

namespace {

constexpr std::chrono::seconds EndPatience{1};

/// A thread's state within watched ranges. Plain data, like ThreadState in
/// Probes.cpp.
struct Nesting {
  uint32_t Probes; ///< Watched probe ranges that are open.
  /// NVTX ranges of Domain pushed since the watched one, itself included.
  uint32_t Pushes;
  uint32_t Domain;
};

struct Window {
  const WindowPlan *Plan = nullptr;
  RangeName Watched{""};
  uint64_t Start = 0;
  std::atomic<bool> Open{true};
  bool EdgesOnly = false;
  /// Opened or closed on request, so the plan no longer applies.
  bool Pinned = false;
  bool WasOpen = false;    ///< The window was open at some time.
  bool Ended = false;      ///< endWindow() was called.
  bool CostTried = false;  ///< LaunchCost has its final value.
  uint64_t LaunchCost = 0; ///< ns; 0: not known.
  std::vector<WindowEdge> Edges;
  /// Ids of watched ranges of nvtxRangeStart.
  std::vector<uint32_t> StartedRanges;
  StepCount Steps;
  bool InStep = false;
  bool WholeStep = false; ///< The window has been open since the step began.
  /// Serializes edges, CUPTI's part included, and guards all non-atomic
  /// members.
  ForkMutex M;
  /// The thread whose ranges are the steps, as the address of its Nesting.
  std::atomic<const void *> StepThread{nullptr};
};

} // namespace

static thread_local Nesting Self
    __attribute__((tls_model("initial-exec"))) = {};

static Window &window() {
  static auto *W = new Window; // Leaked: probes run in late destructors.
  return *W;
}

void prepareWindow(const WindowPlan &Plan, uint64_t Start, bool EdgesOnly) {
  Window &W = window();
  W.EdgesOnly = EdgesOnly;
  W.Plan = &Plan;
  W.Watched = RangeName(Plan.Range);
  W.Start = Start;
  W.Open.store(Plan.startsOpen());
  W.WasOpen = Plan.startsOpen();
  if (Plan.Kind != WindowKind::All)
    W.Edges.push_back({Start, Plan.startsOpen()});
}

// Calls `Use` with the lock held; a default value if it cannot be had.
template <typename Function> static auto locked(Function Use) {
  Window &W = window();
  ForkLock Lock(W.M);
  return Lock ? Use(W) : decltype(Use(W))();
}

static bool means(const RangeName &Name, const Site &S) {
  return S.IsLoop ? Name.meansLoop(S.File, S.Line)
                  : Name.meansFunction(S.Function);
}

bool isWindowOpen() { return window().Open.load(std::memory_order_relaxed); }

// The lock must be held.
static void apply(Window &W, bool Open) {
  if (W.Ended || W.Open.load() == Open)
    return;
  const bool IsIdle = W.EdgesOnly && waitForGpu();
  uint64_t Time = now();
  if (Open && IsIdle && !std::exchange(W.CostTried, true))
    W.LaunchCost = measureLaunchCost();
  if (!W.EdgesOnly) {
    setProbesRecording(Open);
    setCuptiRecording(Open);
  }
  W.Open.store(Open);
  W.WasOpen |= Open;
  W.Edges.push_back({Open ? now() : Time, Open});
}

void refreshWindow() {
  locked([](Window &W) {
    if (!W.Ended)
      setCuptiRecording(W.Open.load());
  });
}

static void pin(bool Open) {
  locked([Open](Window &W) {
    W.Pinned = true;
    apply(W, Open);
  });
}

void openWindow() { pin(true); }
void closeWindow() { pin(false); }

uint64_t turnWindow(uint64_t Now) {
  Window &W = window();
  const WindowPlan &P = *W.Plan;
  ForkLock Lock(W.M);
  if (!Lock)
    return UINT64_MAX;
  if (P.Kind != WindowKind::Time || W.Pinned)
    return UINT64_MAX;
  uint64_t From = W.Start + P.DelayNs;
  uint64_t To = P.DurationNs ? From + P.DurationNs : UINT64_MAX;
  apply(W, Now >= From && Now < To);
  return Now < From ? From : Now < To ? To : UINT64_MAX;
}

std::vector<WindowEdge> takeWindowEdges() {
  return locked([](Window &W) { return std::exchange(W.Edges, {}); });
}

void endWindow() {
  Window &W = window();
  ForkLock Lock(W.M, EndPatience);
  if (!Lock)
    return; // Another thread hangs in CUPTI.
  W.Ended = true;
}

StepCount countedSteps() {
  return locked([](Window &W) { return W.Steps; });
}

uint64_t launchCost() {
  return locked([](Window &W) { return W.LaunchCost; });
}

ForkMutex &windowMutex() { return window().M; }

// --- Ranges and steps; functions that are given a Window need its lock held

static void beginStep(Window &W) {
  uint64_t Step = W.Steps.Seen++;
  W.InStep = true;
  if (!W.Pinned)
    apply(W, W.Plan->contains(Step));
  W.WholeStep = W.Open.load();
}

static void endStep(Window &W) {
  W.InStep = false;
  W.Steps.Recorded += W.WholeStep && W.Open.load();
  if (!W.Pinned && !W.Plan->contains(W.Steps.Seen))
    apply(W, false);
}

static void beginRange() {
  locked([](Window &W) { beginStep(W); });
}

static void endRange() {
  locked([](Window &W) { endStep(W); });
}

// Whether ranges of this thread count.
static bool isWatchedThread() {
  const void *Nobody = nullptr;
  return window().StepThread.compare_exchange_strong(Nobody, &Self) ||
         Nobody == &Self;
}

void nextStep() {
  Window &W = window();
  if (W.Plan->Kind != WindowKind::Steps || !W.Plan->Range.empty())
    return;
  locked([](Window &W) {
    if (W.InStep)
      endStep(W);
    beginStep(W);
  });
}

// --- Callbacks of the hooks

// Names are compared only once for each site.
static bool isWatched(uint64_t Id) {
  enum : int8_t { Unknown, Yes, No };
  Site *S = findSite(Id);
  if (!S || !S->IsRange)
    return false;
  int8_t Known = S->Watched.load(std::memory_order_relaxed);
  if (Known == Unknown) {
    Known = means(window().Watched, *S) ? Yes : No;
    S->Watched.store(Known, std::memory_order_relaxed);
  }
  return Known == Yes;
}

// Of nested ranges only the outermost counts.
static void onProbeBegin(uint64_t Id) {
  if (isWatched(Id) && Self.Probes++ == 0 && isWatchedThread())
    beginRange();
}

static void onProbeEnd(uint64_t Id) {
  if (!Self.Probes || !isWatched(Id))
    return;
  --Self.Probes;
  if (Self.Probes == 0 && isWatchedThread())
    endRange();
}

static void onPush(const NvtxEvent &E) {
  if (Self.Pushes) {
    Self.Pushes += Self.Domain == E.Domain;
  } else if (window().Watched.meansRange(E.Text) && isWatchedThread()) {
    Self.Pushes = 1;
    Self.Domain = E.Domain;
    beginRange();
  }
}

static void onPop(const NvtxEvent &E) {
  if (!Self.Pushes || Self.Domain != E.Domain)
    return;
  --Self.Pushes;
  if (Self.Pushes == 0)
    endRange();
}

// For ranges that any thread may end. A step that begins within another one
// does not count.
static void onStart(const NvtxEvent &E) {
  if (!window().Watched.meansRange(E.Text))
    return;
  const bool Counts = locked([&E](Window &W) {
    if (W.InStep)
      return false;
    W.StartedRanges.push_back(E.RangeId);
    return true;
  });
  if (Counts)
    beginRange();
}

static void onEnd(const NvtxEvent &E) {
  const bool Counts = locked([&E](Window &W) {
    auto Known =
        std::find(W.StartedRanges.begin(), W.StartedRanges.end(), E.RangeId);
    if (Known == W.StartedRanges.end())
      return false;
    W.StartedRanges.erase(Known);
    return true;
  });
  if (Counts)
    endRange();
}

static void onNvtx(const NvtxEvent &E) {
  switch (E.Kind) {
  case NvtxKind::Push:
    return onPush(E);
  case NvtxKind::Pop:
    return onPop(E);
  case NvtxKind::Start:
    return onStart(E);
  case NvtxKind::End:
    return onEnd(E);
  case NvtxKind::Mark:
    return;
  }
}

const RangeWatcher *windowWatcher() {
  static const RangeWatcher Watcher = {onProbeBegin, onProbeEnd, onNvtx};
  const WindowPlan &P = *window().Plan;
  return P.Kind == WindowKind::Steps && !P.Range.empty() ? &Watcher : nullptr;
}

std::string explainClosedWindow(bool HasCupti) {
  Window &W = window();
  ForkLock Lock(W.M);
  if (!Lock)
    return "";
  if (W.WasOpen)
    return "";
  const std::string Range = "'" + W.Plan->Range + "'";
  switch (W.Plan->Kind) {
  case WindowKind::Steps:
    if (uint64_t Seen = W.Steps.Seen)
      return "the program ended after " + std::to_string(Seen) +
             " steps, before the steps to be recorded";
    return W.Plan->Range.empty()
               ? "no step was seen: name the step's range (--range), or call "
                 "autoprof_step() in the program"
               : "no range " + Range + " was seen, so no step was counted";
  case WindowKind::Time:
    return "the program ended before the time to be recorded";
  case WindowKind::ProfilerApi:
    return HasCupti ? "cudaProfilerStart was not called"
                    : "cudaProfilerStart is not seen without CUPTI";
  case WindowKind::Manual:
    return "neither autoprof_start() nor 'autoprof attach' started it";
  case WindowKind::All:
    break;
  }
  return "";
}

} // namespace autoprof::runtime
