// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/ranks/RankSummary.h"

#include "analysis/common/Statistics.h"

using namespace autoprof;
using namespace autoprof::analysis;

namespace {

RankSteps stepsOf(const Steps &S) {
  RankSteps Result;
  Result.Source = S.Source;
  Result.Site = S.Site;
  Result.FromGpu = S.FromGpu;
  Result.Count = S.List.size();
  Result.Measured = S.measured();
  Result.WarmUp = S.WarmUp;
  Result.Median = median(S.times());
  Result.P95 = quantile(S.times(), 0.95);
  Result.First = S.WarmUp + 1;
  for (size_t I = S.WarmUp; I < S.List.size(); ++I)
    Result.Times.push_back(S.List[I].Time);
  return Result;
}

RankSums sumsOf(const Result &R) {
  const Steady &S = *R.InSteps;
  return {S.Count,     S.HostTime,         S.Span, S.Busy, S.Waited,
          S.exposed(), name(S.Limit).str()};
}

} // namespace

RankSummary analysis::summariseRank(const std::string &Path,
                                    const trace::Timeline &T, const Result &R,
                                    std::vector<std::string> Caveats) {
  RankSummary S;
  S.Path = Path;
  S.Info = T.Info;
  // A rank sees the other ranks' GPUs, too.
  for (size_t I = 0; I < T.Devices.size(); ++I)
    if (R.Devices[I].Ops || !R.WaitsKnown)
      S.Devices.push_back(T.Devices[I].Name);
  S.Wall = R.Wall;
  if (R.WaitsKnown)
    S.Waited = R.Waited;
  S.Steps = stepsOf(R.Steps);
  if (R.InSteps)
    S.InSteps = sumsOf(R);
  for (const SiteRow &Row : R.Sites)
    S.Sites.push_back({Row.place(T.Sites), Row.Call, Row.Kind, Row.Count,
                       Row.Waits, Row.Wait, Row.Exposed, Row.Judged.Kind});
  S.Caveats = std::move(Caveats);
  S.IsCutOff = T.Unread.BytesDropped > 0;
  return S;
}
