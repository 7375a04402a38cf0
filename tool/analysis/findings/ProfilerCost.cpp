// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/findings/Scene.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::analysis;

void autoprof::analysis::findProfilerCost(const Scene &S,
                                          std::vector<Finding> &Found) {
  int64_t Idle = S.idle(Cause::Profiler);
  if (100 * Idle < S.Span)
    return;
  Finding F;
  F.Message = fmt::format("While the recorder itself was working (buffers, "
                          "instrumenting kernels), the GPU idled {}: {}.",
                          duration(Idle), S.share(Idle));
  F.Advice = "Subtract this from the idle time in this report; record fewer "
             "steps at a time.";
  F.Doubt = "The time that recording adds to each launch is not included.";
  F.Evidence = llvm::json::Object{{"idle_ns", Idle}};
  F.Cost = 0; // The program does not pay it.
  Found.push_back(std::move(F));
}
