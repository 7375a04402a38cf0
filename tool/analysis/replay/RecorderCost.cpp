// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/replay/RecorderCost.h"

#include <algorithm>
#include <cmath>

using namespace autoprof;
using namespace autoprof::analysis;

namespace {

/// The measured calls are all alike, launch a kernel without arguments, and
/// have the caches for themselves. Those of a program cost more: 1.2 to 1.5
/// times as much in mlp_train on an H100 (docs/performance.md).
constexpr double LeastShare = 1.0, MostShare = 1.6;

int64_t added(const std::optional<int64_t> &Unrecorded,
              const std::optional<int64_t> &Recorded) {
  return Unrecorded && Recorded ? std::max<int64_t>(0, *Recorded - *Unrecorded)
                                : 0;
}

int64_t scaled(int64_t Ns, double Factor) {
  return std::llround(double(Ns) * Factor);
}

} // namespace

RecorderCostRange autoprof::analysis::recorderCost(const trace::Timeline &T) {
  RecorderCostRange Result;
  if (!T.OwnCosts)
    return Result;
  const trace::RecorderCosts &Own = *T.OwnCosts;
  const int64_t Launch = added(Own.Unrecorded.Launch, Own.Recorded.Launch);
  int64_t Call = added(Own.Unrecorded.Wait, Own.Recorded.Wait);
  if (!Launch)
    return Result;
  // In all measurements, recording adds less to a wait than to a launch.
  Call = Call ? std::min(Call, Launch) : Launch / 2;
  Result.Least = {scaled(Launch, LeastShare), scaled(Call, LeastShare),
                  LeastAdded.GraphLaunch};
  Result.Most = {scaled(Launch, MostShare), scaled(Call, MostShare),
                 MostAdded.GraphLaunch};
  Result.Measured = true;
  return Result;
}
