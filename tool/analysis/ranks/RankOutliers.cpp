// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/ranks/Ranks.h"

#include "analysis/common/Statistics.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace autoprof::analysis;

namespace {

constexpr size_t FewestRanks = 5;
/// The usual bound for robust z-scores (Iglewicz and Hoaglin, 1993).
constexpr double Far = 3.5;

int64_t valueOf(const RankSummary &S, Measure Kind) {
  const RankSums &Sums = *S.InSteps;
  const int64_t Steps = std::max<int64_t>(1, Sums.Count);
  switch (Kind) {
  case Measure::StepTime:
    return S.Steps.Median;
  case Measure::Wait:
    return Sums.Waited / Steps;
  case Measure::Exposed:
    return Sums.Exposed / Steps;
  case Measure::Busy:
    return Sums.Busy / Steps;
  }
  return 0;
}

} // namespace

std::vector<Outlier>
autoprof::analysis::findOutliers(llvm::ArrayRef<RankSummary> All) {
  std::vector<Outlier> Result;
  auto HasSteps = [](const RankSummary &S) { return S.InSteps.has_value(); };
  if (All.size() < FewestRanks || !llvm::all_of(All, HasSteps))
    return Result;
  double MinDistance = 0;
  for (Measure Kind :
       {Measure::StepTime, Measure::Wait, Measure::Exposed, Measure::Busy}) {
    std::vector<int64_t> Values, Deviations;
    for (const RankSummary &S : All)
      Values.push_back(valueOf(S, Kind));
    const int64_t Middle = median(Values);
    for (int64_t Value : Values)
      Deviations.push_back(std::abs(Value - Middle));
    if (Kind == Measure::StepTime)
      MinDistance = double(Middle) / 100;
    // 1.4826: makes it the standard deviation of normal values.
    const double Scale =
        std::max({1.4826 * double(median(Deviations)), MinDistance, 1.0});
    for (size_t I = 0; I < Values.size(); ++I) {
      double Z = double(Values[I] - Middle) / Scale;
      if (std::abs(Z) > Far)
        Result.push_back({I, Kind, Values[I], Middle, Z});
    }
  }
  llvm::stable_sort(Result, [](const Outlier &A, const Outlier &B) {
    return std::abs(A.Z) > std::abs(B.Z);
  });
  return Result;
}
