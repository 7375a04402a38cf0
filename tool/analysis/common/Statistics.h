// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The few statistics that reports need. Same input, same output, on every
// machine: the resampling uses its own fixed random sequence.
#ifndef AUTOPROF_ANALYSIS_COMMON_STATISTICS_H
#define AUTOPROF_ANALYSIS_COMMON_STATISTICS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace autoprof::analysis {

/// The q-quantile (0..1), linearly interpolated between order statistics
/// (Hyndman and Fan, type 7) and rounded. 0 for no values.
int64_t quantile(std::vector<int64_t> Values, double Q);

inline int64_t median(std::vector<int64_t> Values) {
  return quantile(std::move(Values), 0.5);
}

/// How much consecutive values of a series depend on each other. Steps do:
/// clocks drift, queues fill, and a slow step is followed by another one.
/// Computed from the values' ranks, so that one slow step does not decide.
struct Dependence {
  /// This many values carry as much information as one independent value: 1 + 2
  /// * the sum of the autocorrelations that differ from 0; at least 1.
  double Time = 1;
  /// Length of the blocks in which to resample: what Politis and White
  /// (Econometric Reviews 23 (2004), corrected 28 (2009)) compute for the
  /// circular block bootstrap; 1 for independent values.
  std::size_t Block = 1;
};
Dependence dependence(const std::vector<int64_t> &Series);

/// Two-sided p-value of the Mann-Whitney U test, normal approximation with
/// corrections for ties and continuity. 1 when either side is empty or all
/// values are equal. `Time` (Dependence::Time) widens the distribution of U.
double mannWhitney(const std::vector<int64_t> &A, const std::vector<int64_t> &B,
                   double Time = 1);

/// Two-sided p-value of Wilcoxon's signed-rank test of A[i] - B[i], with the
/// same approximation and corrections; equal pairs are left out. Both have the
/// same size.
double signedRank(const std::vector<int64_t> &A, const std::vector<int64_t> &B,
                  double Time = 1);

struct Interval {
  double Low, High;
};

/// How two series are resampled: values in circular blocks of these lengths,
/// and, when paired, the same places of both.
struct Resampling {
  std::size_t BaseBlock = 1, NewBlock = 1;
  bool Paired = false; ///< Both series have one length, and NewBlock is unused.
};

/// Bootstrap percentile intervals of median(New) / median(Base) - 1.
struct ChangeRange {
  Interval Range; ///< 95 %.
  double Visible; ///< Half the width of the 99 % interval.
};

/// From 2,000 resamples with a fixed seed, of 20,000 values at most (or of 20
/// blocks, where these are more), so that it takes no longer, and little more
/// memory, for a million steps. Neither side may be empty, and
/// Base's values must be positive.
ChangeRange bootstrapChange(const std::vector<int64_t> &Base,
                            const std::vector<int64_t> &New,
                            const Resampling &Options = {});

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_COMMON_STATISTICS_H
