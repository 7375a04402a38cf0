// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of two programs made to be compared (`autoprof compare`), what is known
// of each, and the verdict of all of them.
#ifndef AUTOPROF_ANALYSIS_COMPARISON_TRIALS_H
#define AUTOPROF_ANALYSIS_COMPARISON_TRIALS_H

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
  std::vector<int64_t> Parts;        ///< A step's time in each part of the run.
  std::optional<int64_t> LaunchCost; ///< CPU time of a small launch in it.
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
  TrialSide Base, New;
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

/// Whether the runs are taken as if a launch had cost each process the same
/// (Adjustment.h).
enum class LaunchAdjustment : uint8_t {
  Unknown, ///< No: the cost is not known of all runs.
  Used,
  EnvironmentsDiffer, ///< No: they may change the cost.
  CostsDiffer         ///< No: between the sides, and beyond chance.
};
/// "unknown", "used", "environments_differ", "launch_costs_differ".
llvm::StringRef name(LaunchAdjustment A);

/// The verdict.
struct TrialsJudged : RunsChange {
  size_t BaseRuns = 0, NewRuns = 0;     ///< That the test took.
  double BaseSpread = 0, NewSpread = 0; ///< See spread(); adjusted if used.
  LaunchAdjustment Launch = LaunchAdjustment::Unknown;
  RunsChange Unadjusted; ///< The same as the verdict if not used.
  /// Of a launch; medians, ns; 0: not known.
  int64_t BaseCost = 0, NewCost = 0;

  bool isAdjusted() const { return Launch == LaunchAdjustment::Used; }
};

/// nullopt: too few runs for any look.
std::optional<TrialsJudged> judge(const Trials &T, const StoppingPlan &Plan);

/// Whether no more runs are needed: after a block of A B B A, of which there
/// are as many as the user wants, the answer is clear or precise.
bool isDecided(const Trials &T, const StoppingPlan &Plan);

/// How much runs differ: the standard deviation of a normal distribution with
/// the values' median absolute deviation from their median, as a share of it
/// (Rousseeuw and Croux, JASA 88 (1993)).
double spread(const std::vector<int64_t> &Times);

/// Runs per side that find a change of this share nine times in ten, when runs
/// have this spread (Noether, JASA 82 (1987), with the boundary of a plan of
/// some twenty looks).
size_t runsNeeded(double Spread, double Change);

enum class OutputsAre : uint8_t { NotCompared, Equal, Different, Varying };
/// Varying: not even runs of one side print the same.
OutputsAre compareOutputs(const Trials &T);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_COMPARISON_TRIALS_H
