// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/findings/Scene.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::analysis;

namespace {

constexpr int64_t MinWait = 1'000'000;

/// Idle time of the waiting call's device during the wait.
int64_t idleDuring(const Scene &S, const Wait &W) {
  int64_t Sum = 0;
  for (const DeviceActivity &D : S.R.Devices)
    if (D.Device == W.Device)
      for (const Gap &G : D.Gaps)
        Sum += std::max<int64_t>(0, std::min(G.End, W.End) -
                                        std::max(G.Start, W.Start));
  return Sum;
}

/// A single wait, not one of many in a loop.
bool isSingular(const Scene &S, const Wait &W) {
  auto NameOf = [&](const Wait &Named) { return S.T.Host.Name[Named.Call]; };
  return llvm::count_if(S.R.Waits, [&](const Wait &Other) {
           return Other.Site == W.Site && NameOf(Other) == NameOf(W);
         }) <= 2;
}

} // namespace

void autoprof::analysis::findFinalFlush(const Scene &S,
                                        std::vector<Finding> &Found) {
  const trace::Timeline &T = S.T;
  if (S.R.Waits.empty() || T.LaunchOrder.empty())
    return;
  const Wait &Last = S.R.Waits.back();
  uint32_t LastLaunch = T.Ops.Launch[T.LaunchOrder.back()];
  bool IsLast = LastLaunch == Last.Call ||
                T.Host.Start[LastLaunch] < T.Host.Start[Last.Call];
  int64_t Length = Last.length(), Idle = idleDuring(S, Last);
  if (!IsLast || !isSingular(S, Last) || Length < MinWait ||
      20 * Length < S.R.Span || 10 * Idle > Length)
    return;
  Finding F;
  F.Site = Last.Site;
  F.Message = fmt::format(
      "The last wait of the run ({}{}, {}) is a flush: it waits for work "
      "queued earlier, the GPU is busy for {} of the wait, and nothing is "
      "launched after it.",
      T.Strings[T.Host.Name[Last.Call]].str(),
      Last.Site == trace::None ? "" : " at " + place(T, Last.Site),
      duration(Length), percent(double(Length - Idle), double(Length)));
  F.Advice = "Leave it unchanged: the time of the queued work appears here, "
             "but the wait does not cause it.";
  F.Evidence = llvm::json::Object{{"wait_ns", Length}, {"idle_ns", Idle}};
  F.Cost = 0; // That is what it says.
  Found.push_back(std::move(F));
}
