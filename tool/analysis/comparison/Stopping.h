// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When a series of runs may stop, and what it may claim.
//
// The test is the rank-sum test (Wilcoxon, Biometrics Bulletin 1 (1945); Mann
// and Whitney, Annals of Mathematical Statistics 18 (1947)) on one number per
// run. It assumes nothing about how runs vary, only that runs of one program
// are exchangeable: outliers and programs with two speeds are common. Runs
// alternate (A B B A), so that a drift affects both sides equally.
//
// It is repeated after every block of runs, so its error would add up from look
// to look. The boundaries limit the sum: by look k, no more than the error
// times ln(1 + (e - 1) k / K) is spent (Lan and DeMets, Biometrika 70 (1983),
// their form of Pocock's boundary), where K is the last look. The joint
// distribution of the statistics over the looks does not depend on that of the
// runs, so it is simulated once, with a fixed seed, and is exact except for the
// number of simulations. (A single look at many runs uses the normal
// approximation.) Inverting the test at each look gives intervals that hold at
// all looks at once (Jennison and Turnbull, JRSS B 51 (1989)), around the
// estimate of Hodges and Lehmann (Annals of Mathematical Statistics 34 (1963)).
#pragma once

#include "analysis/common/Statistics.h"

#include <optional>
#include <vector>

namespace autoprof::analysis {

/// The number of runs of each side when the test is made.
struct Look {
  size_t Base, New;
};

/// Alternating runs: a look after each A B B A.
std::vector<Look> alternatingLooks(size_t MostRuns);
/// More looks take too long to simulate.
constexpr size_t MostAlternating = 200;
/// A side with a fixed number of runs, and a look after each two of the other.
std::vector<Look> looksAgainst(size_t BaseRuns, size_t MostRuns);

/// Of New against Base; all values are logarithms of times, so that exp() of a
/// difference is a ratio.
struct RunsCompared {
  double Shift = 0; ///< Median of all differences.
  /// 95 %, at all looks together; nullopt: too few runs to exclude anything.
  std::optional<Interval> Range;
  /// Of no change, adjusted for the looks so far.
  double P = 1;
  bool Differs = false; ///< With the error that the plan allows.
};

class StoppingPlan {
public:
  /// Of claiming a difference that is not there, at any look.
  static constexpr double Error = 0.01;
  static constexpr double IntervalError = 0.05;

  /// `ClaimError`: where a series of experiments divides it among them.
  explicit StoppingPlan(std::vector<Look> Looks, double ClaimError = Error);

  const std::vector<Look> &looks() const { return Looks; }
  /// The last look for which there are runs enough.
  std::optional<size_t> lookAt(size_t BaseRuns, size_t NewRuns) const;
  /// Takes the runs of that look from the beginning of both.
  RunsCompared compare(size_t Look, std::vector<double> Base,
                       std::vector<double> New) const;

private:
  std::vector<Look> Looks;
  double ClaimError;
  /// By look: the largest number of pairs in disorder that is still beyond the
  /// boundary; -1: nothing is.
  std::vector<int> Claim, Exclude;
  /// By look and simulated series: the smaller of the pairs in order and in
  /// disorder.
  std::vector<std::vector<uint16_t>> Simulated;
  size_t Series = 0;
  std::vector<uint16_t> ClaimedAt; ///< By series: the look; all of them: never.

  void simulate();
  void approximate();

  std::vector<int> boundaries(double Error) const;
  double pValue(size_t Look, double Disorder) const;
};

} // namespace autoprof::analysis
