// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which part of a run is to be recorded, as the user says it: the grammar of
// `autoprof run --steps` and its neighbours and of the variables behind them.
// It needs the C++ library only: bin/autoprof compiles it too.
#ifndef AUTOPROF_RUNTIME_PROTOCOL_WINDOWPLAN_H
#define AUTOPROF_RUNTIME_PROTOCOL_WINDOWPLAN_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace autoprof::runtime {

/// Steps From to To - 1; the first step of a program is 0.
struct StepSpan {
  uint64_t From, To;
};

enum class WindowKind : uint8_t {
  All,         ///< The whole run.
  Steps,       ///< Some steps.
  Range,       ///< While a range is open.
  Time,        ///< From one time to another.
  ProfilerApi, ///< From cudaProfilerStart to cudaProfilerStop.
  Manual       ///< From autoprof_start() or `autoprof attach PID start` on.
};

/// So many steps are timed before recording begins, if nothing else is asked
/// for.
constexpr uint64_t DefaultUnrecorded = 15;

struct WindowPlan {
  WindowKind Kind = WindowKind::All;
  std::vector<StepSpan> Steps; ///< In order, without overlaps.
  std::string Range;           ///< Of Range; of Steps: what a step is, or "".
  uint64_t DelayNs = 0;        ///< From the start of the program.
  uint64_t DurationNs = 0;     ///< 0: to its end.
  uint64_t KeepBytes = 0;      ///< Of all this the last; 0: everything.
  int DumpSignal = 0;          ///< Has what is kept copied; 0: none.
  /// Of Steps: so many steps are timed before the first one that is recorded.
  uint64_t Unrecorded = DefaultUnrecorded;
  bool RecordsAfterTimed = false; ///< It is the step after those.
  /// Nothing of this holds if no module has a range that is called Range: then
  /// the whole run is recorded.
  bool OnlyIfKnown = false;

  /// Whether the beginning of the run is recorded.
  bool startsOpen() const {
    return Kind == WindowKind::All ||
           (Kind == WindowKind::Time && DelayNs == 0);
  }
  bool contains(uint64_t Step) const;
  /// Makes it a plan of the whole run.
  void forgetSteps();
  /// "steps 3:8 of train_step", "range epoch", "10s from 5s on", ...
  std::string text() const;

private:
  std::string partText() const;
};

/// One value of each option, "" where it is not given.
struct WindowWords {
  std::string Steps, Range, Delay, Duration, Capture;
  std::string MaxSize = {}, DumpSignal = {}, Unrecorded = {};
};

/// The options as the user wrote them: "--steps=" or "AUTOPROF_STEPS=".
struct WindowNames {
  const char *Steps, *Range, *Delay, *Duration, *Capture, *MaxSize, *DumpSignal,
      *Unrecorded;
};

/// False: `Problem` is one sentence, and `Plan` is not changed.
bool parseWindow(const WindowWords &Given, const WindowNames &Names,
                 WindowPlan &Plan, std::string &Problem);

/// A number of bytes with an optional K, M or G (powers of 1024); 0 if `Text`
/// is anything else.
uint64_t parseBytes(const std::string &Text);

/// After how many brief runs without GPU work a range is throttled.
constexpr uint64_t DefaultThrottle = 10'000;

/// The value of --throttle: a number of runs, or "off" (0). False for anything
/// else.
bool parseThrottle(const std::string &Text, uint64_t &Runs);

/// What is recorded of a launch of a CUDA graph.
enum class GraphRecords : uint8_t {
  Auto,     ///< Launches if the whole run is recorded, else Nodes.
  Launches, ///< One operation, from its first node's start to its last's end.
  Nodes     ///< Each node, which makes launches several times as expensive.
};

/// The value of --graphs: auto, graph or node. False for anything else.
bool parseGraphs(const std::string &Text, GraphRecords &Records);

/// How long a thread makes no call that launches, copies or waits, for the
/// stack of the next one to be taken.
constexpr uint64_t DefaultStackPauseNs = 50'000;

/// The value of --stacks-pause: a time of 1 us or more, or "off" (UINT64_MAX).
/// False for anything else; `Ns` is not changed then.
bool parseStackPause(const std::string &Text, uint64_t &Ns);

/// What a range is called: function:NAME, loop:FILE:LINE, range:NAME (NVTX, or
/// autoprof_range_push), or only what stands behind the first colon. The same
/// names as those of `autoprof report --step`.
class RangeName {
  std::string Text;
  bool Functions = true, Loops = true, Ranges = true;

public:
  explicit RangeName(std::string_view Name);

  /// `Function` as net::train_step or net::train_step(int), which is also
  /// called train_step.
  bool meansFunction(std::string_view Function) const;
  bool meansLoop(std::string_view File, uint32_t Line) const;
  /// "epoch #" means "epoch 1", "epoch 2", ...
  bool meansRange(std::string_view Message) const;
};

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_PROTOCOL_WINDOWPLAN_H
