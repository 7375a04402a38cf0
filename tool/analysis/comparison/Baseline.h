// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the steps of a program may cost, as kept in the user's repository
// (docs/check.md), and how new recordings compare with it.
#pragma once

#include "analysis/common/Names.h"
#include "analysis/comparison/Diff.h"
#include "analysis/comparison/Growth.h"

#include <bitset>

namespace autoprof::analysis {

/// Times in ns per step, one for each recorded run.
struct BaselineSite {
  trace::Site Place; ///< Id 0 and no file: calls without a source line.
  std::string Call;
  std::vector<int64_t> Wait, Exposed; ///< Empty: it does not wait, and is here
                                      ///< so that its neighbors are found.
};

struct Baseline {
  std::string Device; ///< Name of the GPU; several are joined by " + ".
  std::string Source; ///< Steps::Source.
  uint64_t StepSite = 0;
  bool FromGpu = false;             ///< The clock of the step times.
  std::vector<int64_t> StepMedians; ///< One for each run.
  double RunsVary = 0;              ///< See knownVariation.
  RunSpread Noise; ///< Of other runs (--noise), of logarithms of step times.
  std::vector<BaselineSite> Sites; ///< By file, function and line.

  /// The places, for matchSites and DiffPlaces.
  std::vector<trace::Site> table() const;
};

/// Checks the requirements of a baseline, or of a comparison with one: GPU
/// work, and enough steps. An error is one sentence that names the trace.
llvm::Error checkUsable(const RunSummary &S);

/// Traces of the ranks of one run are one run: its slowest rank's step, and
/// the most wait of one rank. All are usable, and there is at least one.
Baseline makeBaseline(const std::vector<RunSummary> &Traces);

enum class CheckRule : uint8_t { NewWait, MoreStall, Slowdown };
constexpr size_t NumCheckRules = 3;
inline llvm::StringRef name(CheckRule R) {
  return nth(R, {"new-wait", "more-stall", "slowdown"});
}

/// Shares of the baseline's step; of another GPU, of the new one's.
struct CheckLimits {
  std::bitset<NumCheckRules> Left; ///< Rules that are not checked.
  double NewWait = 0.001;          ///< A site may begin to wait so long.
  double MoreStall = 0.01;         ///< A site's exposed stall may grow so much.
  double Slowdown = 0.05;          ///< The step.
  bool Strict = false;             ///< Increases that may be chance fail, too.

  bool checks(CheckRule R) const { return !Left.test(size_t(R)); }

  /// At most this share of the checks of an unchanged program fails because of
  /// an increase: half of it for the step, half for the sites, among which it
  /// is divided (Holm, Scandinavian Journal of Statistics 6 (1979)).
  static constexpr double Error = 0.01, StepError = Error / 2;
};

/// Something new or worse. Times in ns per step.
struct CheckFinding {
  CheckRule Rule;
  trace::Site Place; ///< In the new program; of Slowdown the steps' range.
  std::string Call;
  int64_t Base = 0, New = 0; ///< Wait, exposed stall, or the step itself.
  int64_t Exposed = 0;       ///< NewWait: its exposed stall.
  double Allowed = 0;        ///< The limit, a share of the step.
  /// Of no growth, one-sided; nullopt: the variation between runs is unknown.
  std::optional<double> P;
};

/// The sensitivity of the check of the step.
struct CheckPower {
  RunSpread Spread; ///< Of logarithms of the runs' step times.
  /// A slowdown that is found nine times in ten, as a share.
  double Visible = 0;
  /// Runs per side that find one of the size of the limit nine times in ten;
  /// nullopt: more than MostRuns.
  std::optional<size_t> RunsNeeded;
  static constexpr size_t MostRuns = 1000;
};

struct CheckResult {
  bool SameDevice = true; ///< Else times are not compared.
  std::string Device;     ///< The new one's.
  size_t BaseRuns = 0, NewRuns = 0;
  int64_t BaseStep = 0, NewStep = 0; ///< ns, medians over the runs.
  size_t Waiting = 0;                ///< Sites that wait in the new steps.
  std::vector<CheckFinding> Failures;
  /// Beyond a limit, but perhaps by chance.
  std::vector<CheckFinding> Doubtful;
  /// Sites' growth beyond a limit, but by less than the step became shorter.
  std::vector<CheckFinding> Outweighed;
  bool Passed = true;
  /// The bound that Doubtful used if the variation between runs is unknown;
  /// else 0.
  double RunsVary = 0;
  /// nullopt: the variation between runs is unknown, or times are not compared.
  std::optional<CheckPower> Power;
  std::vector<BaselineSite> Gone; ///< They no longer wait.
  /// Sites that were matched by a guess, and why; see Match.
  std::vector<std::pair<trace::Site, std::string>> Guesses;
};

/// All traces are usable, and there is at least one. Fails when their steps are
/// not the baseline's. `Noise`: of other runs of the program; where it is not
/// known, the baseline's. `AreSame`: the user says that the steps are the
/// baseline's, wherever they are.
llvm::Expected<CheckResult> check(const Baseline &B,
                                  const std::vector<RunSummary> &Traces,
                                  const CheckLimits &Limits,
                                  const RunSpread &Noise = {},
                                  bool AreSame = false);

/// The baseline's steps as --base-step takes them; "": they have no name.
std::string stepName(const Baseline &B);
/// Whether --base-step=Name means them.
bool isStepOf(const Baseline &B, llvm::StringRef Name);

/// The id that the baseline's steps have in this trace; 0: they are not a place
/// in the source, or not found.
uint64_t stepSiteIn(const Baseline &B, const trace::Timeline &T);

} // namespace autoprof::analysis
