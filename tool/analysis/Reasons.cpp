// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Stages.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <tuple>
#include <utility>

using namespace autoprof;
using namespace autoprof::analysis;

void autoprof::analysis::addReasons(const trace::Timeline &T,
                                    const Attribution &A,
                                    const std::vector<Wait> &Waits,
                                    const std::vector<CauseTotal> &Run,
                                    Result &R) {
  const trace::Window Nothing{0, 0};
  BusyHost Busy = findBusyHost(T, A, R.Devices, R.Stalls, R.Causes,
                               R.InSteps ? R.InSteps->Gpu : Nothing,
                               [](const BusyPart &) {});
  auto Add = [](CauseTotal &Sum, const CauseTotal &One) {
    Sum.Count += One.Count;
    Sum.Total += One.Total;
  };
  // Reasons that differ only in their operator share a row.
  std::map<std::tuple<Cause, LateReason, uint32_t, uint32_t>, size_t> RowOf;
  std::vector<CauseTotal> LargestInRun, LargestInSteps; // By row.
  for (size_t I = 0; I < Run.size(); ++I) {
    if (!Run[I].Count)
      continue;
    Reason Key = R.Causes.Reasons[I];
    const uint32_t Operator = std::exchange(Key.Operator, trace::None);
    auto [It, IsNew] = RowOf.try_emplace(
        {Key.Kind, Key.Why, Key.Site, Key.Call}, R.Reasons.size());
    const size_t Index = It->second;
    if (IsNew) {
      R.Reasons.emplace_back().Key = Key;
      LargestInRun.emplace_back();
      LargestInSteps.emplace_back();
    }
    ReasonRow &Row = R.Reasons[Index];
    const CauseTotal Steps = R.InSteps ? R.InSteps->Reasons[I] : CauseTotal();
    Add(Row.Run, Run[I]);
    Add(Row.Steps, Steps);
    if (Operator != trace::None)
      Row.Operators.push_back({Operator, Run[I], Steps});
    if (Run[I].Total > LargestInRun[Index].Total) {
      LargestInRun[Index] = Run[I];
      Row.BusyInRun = Busy.MainInRun[I];
    }
    if (Steps.Total > LargestInSteps[Index].Total) {
      LargestInSteps[Index] = Steps;
      Row.BusyInSteps = Busy.MainInSteps[I];
    }
  }
  for (ReasonRow &Row : R.Reasons)
    llvm::stable_sort(Row.Operators,
                      [](const ReasonOperator &A, const ReasonOperator &B) {
                        return std::pair(A.Steps.Total, A.Run.Total) >
                               std::pair(B.Steps.Total, B.Run.Total);
                      });
  llvm::stable_sort(R.Reasons, [](const ReasonRow &A, const ReasonRow &B) {
    return std::tuple(A.Key.Kind, -A.Steps.Total, -A.Run.Total) <
           std::tuple(B.Key.Kind, -B.Steps.Total, -B.Run.Total);
  });
  R.Busy = std::move(Busy.Rows);
  R.Lines = findHostLines(T, A, Waits, R.Devices, R.Stalls, R.Causes,
                          R.InSteps ? R.InSteps->Gpu
                                    : trace::Window{T.begin(), T.end()});
}
