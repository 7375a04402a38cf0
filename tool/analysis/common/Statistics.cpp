// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/Statistics.h"

#include <algorithm>
#include <cmath>

int64_t autoprof::analysis::quantile(std::vector<int64_t> Values, double Q) {
  if (Values.empty())
    return 0;
  double Rank = Q * double(Values.size() - 1);
  auto Low = Values.begin() + int64_t(Rank);
  std::nth_element(Values.begin(), Low, Values.end());
  auto Next = std::min_element(Low + 1, Values.end());
  if (Next == Values.end())
    return *Low;
  return *Low + std::llround(double(*Next - *Low) * (Rank - std::floor(Rank)));
}

std::vector<double>
autoprof::analysis::logarithms(const std::vector<int64_t> &Values) {
  std::vector<double> Result;
  for (int64_t V : Values)
    Result.push_back(std::log(double(V)));
  return Result;
}
