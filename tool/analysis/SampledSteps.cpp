// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Stages.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdlib>

using namespace autoprof;
using namespace autoprof::analysis;

static int64_t meanTime(llvm::ArrayRef<Step> Steps) {
  int64_t Sum = 0;
  for (const Step &S : Steps)
    Sum += S.Time;
  return Sum / int64_t(Steps.size());
}

StepSample autoprof::analysis::sampleSteps(const trace::Timeline &T,
                                           const Result &R, size_t MaxOps) {
  if (!R.onGpuClock() || !R.Steps.measured())
    return {};
  const llvm::ArrayRef<Step> All =
      llvm::ArrayRef(R.Steps.List).drop_front(R.Steps.WarmUp);
  const auto Count = size_t(double(MaxOps) * double(R.Steps.List.size()) /
                            double(T.Ops.size()));
  if (Count < MinSampledSteps || Count > All.size())
    return {};
  constexpr size_t Places = 16;
  StepSample Best{0, Count, 0, meanTime(All)};
  for (size_t I = 0; I < Places; ++I) {
    const size_t First = I * (All.size() - Count) / (Places - 1);
    const int64_t Mean = meanTime(All.slice(First, Count));
    if (!I || std::abs(Mean - Best.MeanOfAll) <
                  std::abs(Best.Mean - Best.MeanOfAll)) {
      Best.First = R.Steps.WarmUp + First;
      Best.Mean = Mean;
    }
  }
  return Best;
}
