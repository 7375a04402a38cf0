// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/Statistics.h"
#include "analysis/common/Unlaunched.h"
#include "analysis/findings/Scene.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::analysis;

namespace {

constexpr int64_t MinFactor = 5, MinExtra = 1'000'000;

bool loadsCode(llvm::StringRef Call) {
  return Call.starts_with("cuLibraryLoad") || Call.starts_with("cuModuleLoad");
}

/// Whether the beginning of the recording is not analyzed.
bool isLaterPart(const trace::Timeline &T) {
  return T.Part && T.Part->Kept.Start > T.Part->Whole.Start;
}

/// Host time in calls that load code.
int64_t loadingIn(const trace::Timeline &T, const Step &S) {
  int64_t Sum = 0;
  for (uint32_t I = 0; I < T.Host.size() && T.Host.Start[I] < S.End; ++I)
    if (T.Host.isCall(I) && T.Host.Start[I] >= S.Start &&
        loadsCode(T.Strings[T.Host.Name[I]]))
      Sum += T.Host.End[I] - T.Host.Start[I];
  return Sum;
}

} // namespace

void autoprof::analysis::findColdFirstStep(const Scene &S,
                                           std::vector<Finding> &Found) {
  const Steps &All = S.R.Steps;
  // The first step of a recording that began later is not the program's first.
  if (!S.InSteps || !All.WarmUp || S.T.Recorded.Limited ||
      S.T.Recorded.KeptFrom || isLaterPart(S.T) || beganEarlier(S.T) ||
      All.times().empty())
    return;
  int64_t First = All.List.front().Time, Median = median(All.times());
  if (First < MinFactor * Median || First - Median < MinExtra)
    return;
  int64_t Loading = loadingIn(S.T, All.List.front());
  Finding F;
  F.Message = fmt::format(
      "The first step took {}, {:.0f} times the median of the measured steps "
      "({}){}.",
      duration(First), double(First) / double(Median), duration(Median),
      Loading ? "; " + duration(Loading) + " of it in calls that load code"
              : "");
  F.Advice = "Exclude it from measurements, as this report does. If start-up "
             "time matters, load code and allocate before the loop.";
  F.Doubt = "Other causes (algorithm selection, first allocations) are not "
            "distinguished.";
  F.Evidence = llvm::json::Object{{"first_step_ns", First},
                                  {"median_step_ns", Median},
                                  {"code_loading_ns", Loading}};
  F.Cost = First - Median;
  Found.push_back(std::move(F));
}
