// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a run to be recorded, as the user specifies it: the grammar of
// `autoprof run --steps` and related options and of their environment
// variables. Depends only on the C++ library, because bin/autoprof compiles it
// too.
#pragma once

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
  Time,        ///< From one time to another.
  ProfilerApi, ///< From cudaProfilerStart to cudaProfilerStop.
  Manual       ///< From autoprof_start() or `autoprof attach PID start`.
};

struct WindowPlan {
  WindowKind Kind = WindowKind::All;
  std::vector<StepSpan> Steps; ///< In order, without overlaps.
  std::string Range;           ///< For Steps: the range that is a step, or "".
  uint64_t DelayNs = 0;        ///< From the start of the program.
  uint64_t DurationNs = 0;     ///< 0: until it ends.
  uint64_t KeepBytes = 0;      ///< Keep only the last bytes; 0: everything.

  /// Whether the beginning of the run is recorded.
  bool startsOpen() const {
    return Kind == WindowKind::All ||
           (Kind == WindowKind::Time && DelayNs == 0);
  }
  bool contains(uint64_t Step) const;
  /// Describes the plan: "steps 3:8 of train_step", "10s from 5s on", ...
  std::string text() const;

private:
  std::string partText() const;
};

/// The value of each option, "" where it is not given.
struct WindowWords {
  std::string Steps, Range, Delay, Duration, Capture;
  std::string MaxSize = {};
};

/// "AUTOPROF_MAX_SIZE" for "max-size".
std::string variableOf(std::string_view Option);

/// The options' names are for messages.
enum class SpelledAs : uint8_t {
  Option,  ///< "--max-size="
  Variable ///< "AUTOPROF_MAX_SIZE="
};

/// `ValueOf`: of an option, by its name; "" where it is not given.
template <typename F> WindowWords windowWords(F ValueOf) {
  return {ValueOf("steps"),    ValueOf("range"),   ValueOf("delay"),
          ValueOf("duration"), ValueOf("capture"), ValueOf("max-size")};
}

/// On failure returns false, with one sentence in `Problem`, and does not
/// change `Plan`.
bool parseWindow(const WindowWords &Given, SpelledAs Names, WindowPlan &Plan,
                 std::string &Problem);

/// Parses "10", "1.5s", "500ms", "2m" or "1h" as ns.
bool parseTime(const std::string &Text, uint64_t &Ns);
/// What it takes, for messages.
inline constexpr const char *IsTime = "a time such as 10s, 500ms or 2m";

/// Parses a number of bytes with an optional K, M or G (powers of 1024);
/// returns 0 if `Text` is anything else.
uint64_t parseBytes(const std::string &Text);

/// The number of brief runs without GPU work after which a range is throttled.
constexpr uint64_t DefaultThrottle = 10'000;

/// Parses the value of --throttle: a number of runs, or "off" (0). Returns
/// false for anything else.
bool parseThrottle(const std::string &Text, uint64_t &Runs);

/// How a launch of a CUDA graph is recorded.
enum class GraphRecords : uint8_t {
  Auto,     ///< Launches if the whole run is recorded, else Nodes.
  Launches, ///< One operation, from its first node's start to its last's end.
  Nodes     ///< Each node, which makes launches several times as expensive.
};

/// Parses the value of --graphs: auto, graph or node. Returns false for
/// anything else.
bool parseGraphs(const std::string &Text, GraphRecords &Records);

/// If a thread makes no call that launches, copies or waits for this long, the
/// stack of its next one is taken.
constexpr uint64_t DefaultStackPauseNs = 50'000;

/// Parses the value of --stacks-pause: a time of 1 us or more, or "off"
/// (UINT64_MAX). Returns false, without changing `Ns`, for anything else.
bool parseStackPause(const std::string &Text, uint64_t &Ns);

} // namespace autoprof::runtime
