// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of two programs made to be compared (`autoprof compare`), what is known
// of each, and the verdict of all of them.
#pragma once

#include "analysis/comparison/Stopping.h"

#include <cstdint>
#include <map>
#include <string>

namespace autoprof::analysis {

/// One run. Times in ns.
struct Trial {
  bool IsNew = false;
  /// What is compared: of steps the median of the parts, else the run's time.
  int64_t Time = 0;
  std::vector<int64_t> Parts; ///< A step's time in each part of the run.
  int64_t Wall = 0, Cpu = 0;  ///< Of the process, its start included.
  uint64_t Preempted = 0;     ///< Involuntary context switches.
  std::optional<int64_t> GpuMHz, CpuMHz; ///< Median while it ran.
  std::optional<int64_t> LaunchCost;     ///< CPU time of a small launch in it.
};

/// What one side is.
struct TrialSide {
  std::vector<std::string> Command;
  std::map<std::string, std::string> Environment;
  std::string Recording; ///< Beside the file of the comparison; "": none.
  std::string Step;      ///< As --step takes it; "": none.
  uint64_t Steps = 0;    ///< That a run makes; 0: unknown.
  int ExitCode = 0;
  /// SHA-256 of standard output, of each run that printed something else than
  /// the runs before; none: outputs are not compared.
  std::vector<std::string> Outputs;
};

enum class TrialMetric : uint8_t {
  Step, ///< Unrecorded, in parts of the run with the GPU idle at both ends.
  Wall  ///< The whole process.
};

struct Trials {
  TrialMetric Metric = TrialMetric::Step;
  bool SelfTest = false; ///< Both sides are the same.
  bool Stored = false;   ///< The base is from an earlier comparison.
  TrialSide Base, New;
  std::vector<std::string> Cpus; ///< That both could use; empty: all.
  std::string Gpu, Host;
  size_t MostRuns = 0, LeastRuns = 0;
  double Precision = 0.01;
  std::vector<Trial> Runs; ///< In the order in which they were made.

  std::vector<int64_t> times(bool IsNew) const;
  /// Whether only the number of runs, or time, ends the series: then the only
  /// look is at all of them.
  bool isFixed() const { return LeastRuns >= MostRuns; }
  std::vector<Look> looks() const;
};

/// The result of one way to test the runs.
struct RunsChange {
  int64_t BaseTime = 0, NewTime = 0; ///< Medians over the runs.
  double Change = 0;                 ///< Shift as a share of the base.
  std::optional<Interval> Range;     ///< 95 %.
  double P = 1;
  bool Differs = false;
  /// Range holds 0, and half its width is at most the precision asked for.
  bool ShowsNone = false;
};

/// The runs as if a launch had cost each process the same (Adjustment.h).
struct LaunchAdjustment {
  enum class Objection : uint8_t {
    None,
    Environments, ///< Those of the sides differ, and may change the cost.
    Cost          ///< It differs between the sides, beyond chance.
  };
  Objection Obstacle = Objection::None;
  RunsChange Adjusted;
  double Slope = 0;     ///< Of the logarithm of time to that of the cost.
  double Explained = 0; ///< Share of the runs' variance within the sides.
  double Spread = 0;    ///< Of the adjusted runs, the larger of both sides'.
  int64_t BaseCost = 0, NewCost = 0; ///< Of a launch; medians, ns.
};

/// The verdict: adjusted for the cost of a launch if that is known of all runs
/// and the adjustment is valid, and otherwise unadjusted.
struct TrialsJudged : RunsChange {
  size_t BaseRuns = 0, NewRuns = 0;     ///< That the test took.
  double BaseSpread = 0, NewSpread = 0; ///< See spread(); not adjusted.
  RunsChange Unadjusted;
  std::optional<LaunchAdjustment> Launch;

  bool isAdjusted() const {
    return Launch && Launch->Obstacle == LaunchAdjustment::Objection::None;
  }
};

/// nullopt: too few runs for any look.
std::optional<TrialsJudged> judge(const Trials &T, const StoppingPlan &Plan);

/// How much runs differ: the standard deviation of a normal distribution with
/// the values' median absolute deviation from their median, as a share of it
/// (Rousseeuw and Croux, JASA 88 (1993)).
double spread(const std::vector<int64_t> &Times);

/// The same of runs of one program, adjusted for what a launch costs each
/// process. nullopt: not known of all of them.
std::optional<double> adjustedSpread(const Trials &T);

/// The distance, as a share, below which 95 % of all pairs of runs of one side
/// are. nullopt: fewer than five runs on each side.
std::optional<double> pairSpan(const Trials &T);

/// Runs per side that find a change of this share nine times in ten, when runs
/// have this spread (Noether, JASA 82 (1987), with the boundary of a plan of
/// some twenty looks).
size_t runsNeeded(double Spread, double Change);

enum class OutputsAre : uint8_t { NotCompared, Equal, Different, Varying };
/// Varying: not even runs of one side print the same.
OutputsAre compareOutputs(const Trials &T);

} // namespace autoprof::analysis
