// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Stages.h"

#include "llvm/ADT/STLExtras.h"

#include <tuple>

using namespace autoprof;
using namespace autoprof::analysis;

void autoprof::analysis::addReasons(const trace::Timeline &T,
                                    const Attribution &A,
                                    const std::vector<Wait> &Waits,
                                    const std::vector<CauseTotal> &Run,
                                    Result &R) {
  for (size_t I = 0; I < Run.size(); ++I)
    if (Run[I].Count)
      R.Reasons.push_back({R.Causes.Reasons[I], Run[I],
                           R.InSteps ? R.InSteps->Reasons[I] : CauseTotal()});
  llvm::stable_sort(R.Reasons, [](const ReasonRow &A, const ReasonRow &B) {
    return std::tuple(A.Key.Kind, -A.Steps.Total, -A.Run.Total) <
           std::tuple(B.Key.Kind, -B.Steps.Total, -B.Run.Total);
  });
  R.Busy = findBusyHost(T, A, R.Devices, R.Stalls, R.Causes,
                        R.InSteps ? R.InSteps->Gpu : trace::Window{0, 0});
  R.Lines = findHostLines(T, A, Waits, R.Devices, R.Stalls, R.Causes,
                          R.InSteps ? R.InSteps->Gpu
                                    : trace::Window{T.begin(), T.end()});
}
