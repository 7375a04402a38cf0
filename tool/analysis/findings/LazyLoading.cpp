// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/findings/Scene.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::analysis;

namespace {

/// What was loaded, as CUPTI's overhead records say; they lie inside the calls
/// that triggered it.
struct Loads {
  uint64_t Count = 0;
  int64_t Time = 0;
};

Loads collect(const Scene &S) {
  Loads Result;
  for (const trace::Overhead &O : S.T.Overheads) {
    if (O.Kind != trace::OverheadKind::ModuleLoad)
      continue;
    int64_t Ns = std::min(O.End, S.Host.End) - std::max(O.Start, S.Host.Start);
    Result.Count += Ns > 0;
    Result.Time += std::max<int64_t>(0, Ns);
  }
  return Result;
}

} // namespace

void autoprof::analysis::findLazyLoading(const Scene &S,
                                         std::vector<Finding> &Found) {
  Loads L = collect(S);
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
