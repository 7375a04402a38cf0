// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/DiffText.h"

#include "analysis/common/Statistics.h"
#include "report/Format.h"
#include "report/recording/Sentences.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

bool report::ofSteps(const Difference &D) {
  auto HasSteps = [](const RunSummary &S) { return S.R.InSteps.has_value(); };
  return llvm::all_of(D.Base, HasSteps) && llvm::all_of(D.New, HasSteps);
}

bool report::haveGpuWork(const Difference &D) {
  auto Known = [](const RunSummary &S) { return S.R.WaitsKnown; };
  return llvm::all_of(D.Base, Known) && llvm::all_of(D.New, Known);
}

namespace {

using Runs = std::vector<RunSummary>;

Idle idleOf(const Runs &Side, bool Steps, Cause C) {
  std::vector<int64_t> Times, Shares;
  for (const RunSummary &S : Side) {
    const Result &R = S.R;
    const int64_t Total = (Steps ? R.InSteps->Gaps : R.Gaps)[unsigned(C)].Total,
                  Whole = Steps ? R.InSteps->Span : R.Span;
    Times.push_back(
        Steps && R.InSteps->Count ? Total / int64_t(R.InSteps->Count) : Total);
    Shares.push_back(Whole > 0 ? int64_t(1e6 * double(Total) / double(Whole))
                               : 0);
  }
  return {median(std::move(Times)), median(std::move(Shares))};
}

} // namespace

std::vector<CauseChange> report::causeChanges(const Difference &D) {
  std::vector<CauseChange> Result;
  if (!haveGpuWork(D))
    return Result;
  for (unsigned I = 0; I < NumCauses; ++I) {
    const CauseChange C{Cause(I), idleOf(D.Base, ofSteps(D), Cause(I)),
                        idleOf(D.New, ofSteps(D), Cause(I))};
    if (C.Base.Time || C.New.Time)
      Result.push_back(C);
  }
  llvm::stable_sort(Result, [](const CauseChange &A, const CauseChange &B) {
    return std::max(A.Base.Time, A.New.Time) >
           std::max(B.Base.Time, B.New.Time);
  });
  return Result;
}

Section report::causeChangeSection(const Difference &D) {
  const bool Steps = ofSteps(D);
  Section S;
  S.Heading = Steps ? "Why the GPU was idle in the steps (means per step)"
                    : "Why the GPU was idle (whole run)";
  Table T({{"cause", true},
           {Steps ? "idle/step, base" : "idle, base"},
           {"new"},
           {Steps ? "of the step, base" : "of the GPU's span, base"},
           {"new"}});
  for (const CauseChange &C : causeChanges(D))
    T.addRow({phrase(C.Kind).str(), duration(C.Base.Time), duration(C.New.Time),
              percent(double(C.Base.Share), 1e6),
              percent(double(C.New.Share), 1e6)});
  return S.add(std::move(T));
}
