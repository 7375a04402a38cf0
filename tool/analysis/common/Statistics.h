// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The few statistics that reports need.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace autoprof::analysis {

/// The q-quantile (0..1), linearly interpolated between order statistics
/// (Hyndman and Fan, type 7) and rounded. 0 for no values.
int64_t quantile(std::vector<int64_t> Values, double Q);

inline int64_t median(std::vector<int64_t> Values) {
  return quantile(std::move(Values), 0.5);
}

std::vector<double> logarithms(const std::vector<int64_t> &Values);

struct Interval {
  double Low, High;
};

} // namespace autoprof::analysis
