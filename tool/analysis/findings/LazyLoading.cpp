// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/findings/Scene.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::analysis;

void autoprof::analysis::findLazyLoading(const Scene &S,
                                         std::vector<Finding> &Found) {
  // The records lie inside the calls that triggered it.
  const BlockedCalls L =
      findBlockedCalls(S.T, S.Host, trace::OverheadKind::ModuleLoad);
  // A run without steps begins by loading, so the limit is higher there.
  int64_t Share = S.InSteps ? 200 : 10, MinCost = S.InSteps ? 0 : 10'000'000;
  if (!L.Count || Share * L.Time < S.HostTime || L.Time < MinCost)
    return;
  Finding F;
  F.Severity = S.InSteps ? Severity::Warning : Severity::Note;
  F.Message = fmt::format(
      "Code was loaded for the first time {} {} {}: {}, {} of the CPU's time.",
      count(L.Count), L.Count == 1 ? "time" : "times", S.where().str(),
      duration(L.Time), percent(double(L.Time), double(S.HostTime)));
  F.Advice = "Call each kernel once before the loop, or start the program with "
             "CUDA_MODULE_LOADING=EAGER.";
  F.Doubt = S.InSteps ? "" : "A longer run also pays this cost only once.";
  F.Evidence =
      llvm::json::Object{{"count", int64_t(L.Count)}, {"loading_ns", L.Time}};
  F.Cost = L.Time;
  Found.push_back(std::move(F));
}
