// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Experiments (`autoprof try`): the calls at one place do not wait
// (runtime/experiment/Changes.h). Each run of the program has parts in which it
// is as it is and parts in which it is changed, because processes of one
// program differ more than parts of one process do (docs/try.md).
#pragma once

#include "analysis/comparison/Trials.h"
#include "analysis/result/Result.h"

namespace autoprof::analysis {

/// What becomes of the calls.
enum class Switched : uint8_t {
  LeftOut,   ///< A synchronization.
  Narrowed,  ///< One for the device waits for one stream.
  Late,      ///< A copy to the host brings the value of the step before.
  NotRead,   ///< It is not made, and brings the first value.
  Staged,    ///< A copy from pageable memory goes through pinned memory.
  Kept,      ///< Memory is not freed, and allocated again.
  PoolKept,  ///< Pools do not give memory back.
  NotWaiting ///< Several of these, or calls inside of a library's.
};
/// Whether it is tried beside another change of the same calls, which is the
/// one that counts and that is combined with others.
inline bool isVariant(Switched S) {
  return S == Switched::NotRead || S == Switched::Narrowed;
}
inline llvm::StringRef name(Switched S) {
  return nth(S, {"left_out", "narrowed", "late", "not_read", "staged", "kept",
                 "pool_kept", "not_waiting"});
}

/// Why there is no result.
enum class NoResult : uint8_t {
  None,
  NoPlace,   ///< The place has no probe and is not in Python.
  NotAsked,  ///< There were more than asked for.
  Unchanged, ///< No call at the place could be changed.
  Failed,    ///< The program failed.
  Hung,      ///< It took too long, and was ended.
  Shorter,   ///< It made other launches: its steps cannot be timed.
  NotRun,    ///< There was no time left.
  Drained    ///< It waits for nothing unless the others do not wait.
};
inline llvm::StringRef name(NoResult N) {
  return nth(N, {"", "no_place", "not_asked", "unchanged", "failed", "hung",
                 "shorter", "not_run", "drained"});
}

struct Experiment {
  std::vector<uint32_t> Rows; ///< Into Result::Sites; empty: pools, or several.
  Switched How = Switched::NotWaiting;
  /// "site ID", "frame " and Site::PlaceFrames, "pool"; "": it has no place.
  std::string Where;
  uint64_t Late = 1; ///< Copies to the host; see runtime::ExperimentVariable.
  /// What the report predicts for it, ns per step; nullopt: nothing.
  std::optional<Interval> Predicted;
  NoResult Why = NoResult::None;
  int ExitCode = 0;     ///< Of a run that was changed as a whole.
  std::string Message;  ///< The last line that a run which failed printed.
  uint64_t Changed = 0; ///< Calls, in that run.
  OutputsAre Output = OutputsAre::NotCompared; ///< Likewise.
  /// A "run" is a part, its time ns per step at the speed of the first process.
  Trials Parts;
  std::vector<int64_t> Usual;         ///< ns, of each process: a step as it is.
  std::optional<TrialsJudged> Judged; ///< Nothing: too few parts.

  /// Adds the parts of a process, ns per step. See isChangedPart().
  void add(llvm::ArrayRef<int64_t> Times, bool IsOdd);
  void judgeParts(const StoppingPlan &Plan);
  /// ns per step that it brings, with its 95 % interval; nullopt: not known.
  std::optional<Interval> saved() const;
  /// Whether it makes the steps shorter by at least this share.
  bool gains(double AtLeast) const;
};

/// For each place that waits in the steps that count, those first from which
/// most is expected.
std::vector<Experiment> proposeExperiments(const trace::Timeline &T,
                                           const Result &R);

/// A part of the run, in launches of kernels and graphs from its beginning.
struct LaunchPart {
  uint64_t From, To, Steps;
};
/// For parts in turn, of all steps but the first tenth, with some steps between
/// them; empty: there are too few steps, or launches.
std::vector<LaunchPart> timedParts(const trace::Timeline &T, const Steps &S);
/// So many steps are enough.
constexpr uint64_t FewestSteps = 60;
constexpr uint64_t MostParts = 32;
/// Whether a part of a process is changed: A B B A A B B A ... in every other
/// process, and B A A B ... in the odd ones, so that what depends on the place
/// in the run is no change.
constexpr bool isChangedPart(size_t Part, bool IsOdd) {
  return (Part % 4 == 1 || Part % 4 == 2) != IsOdd;
}

/// All that one command tried.
struct ExperimentSeries {
  std::vector<std::string> Command;
  std::string Step;          ///< As --step takes it.
  std::vector<int64_t> Base; ///< ns, of each process: a step as it is.
  std::vector<Experiment> All;
  /// All at once that do not make the steps longer, late and not read; Rows is
  /// empty.
  std::vector<Experiment> Together;
  int64_t Time = 0; ///< ns that it took.
  size_t Runs = 0;
  /// How much longer a recorded step is; nullopt: not known.
  std::optional<double> RecorderFactor;
};

} // namespace autoprof::analysis
