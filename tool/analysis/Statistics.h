// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The few statistics that reports need. Same input, same output, on every
// machine: the resampling uses its own fixed random sequence.
#ifndef AUTOPROF_ANALYSIS_STATISTICS_H
#define AUTOPROF_ANALYSIS_STATISTICS_H

#include <cstdint>
#include <vector>

namespace autoprof::analysis {

/// The q-quantile (0..1), linearly interpolated between order statistics
/// (Hyndman and Fan, type 7) and rounded. 0 for no values.
int64_t quantile(std::vector<int64_t> Values, double Q);

inline int64_t median(std::vector<int64_t> Values) {
  return quantile(std::move(Values), 0.5);
}

/// Two-sided p-value of the Mann-Whitney U test, normal approximation with
/// corrections for ties and continuity. 1 when either side is empty or all
/// values are equal.
double mannWhitney(const std::vector<int64_t> &A,
                   const std::vector<int64_t> &B);

struct Interval {
  double Low, High;
};

/// 95 % bootstrap percentile interval of median(New) / median(Base) - 1, from
/// 2,000 resamples with a fixed seed. Neither side may be empty, and Base's
/// values must be positive.
Interval bootstrapChange(const std::vector<int64_t> &Base,
                         const std::vector<int64_t> &New);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_STATISTICS_H
