// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Sentences.h"

#include "report/Format.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

llvm::StringRef report::phrase(Cause C) {
  constexpr llvm::StringLiteral Phrases[NumCauses] = {
      "exposed stall of a wait",
      "launch blocked by a full queue",
      "module or function loading",
      "the recorder itself",
      "CPU busy, not launching",
      "launching takes longer than the GPU work",
      "queued, but started late",
      "waiting for another stream",
      "pause between queued operations",
      "unknown"};
  return Phrases[unsigned(C)];
}

int64_t report::idleBasis(const Result &R) {
  if (R.InSteps)
    return R.InSteps->Span;
  int64_t Sum = 0;
  for (const DeviceActivity &D : R.Devices)
    if (D.Ops)
      Sum += D.span();
  return Sum;
}

int64_t report::busyTime(const Result &R) {
  int64_t Sum = 0;
  for (const DeviceActivity &D : R.Devices)
    Sum += D.Busy;
  return Sum;
}

/// ns, of all causes.
static int64_t idleTime(const std::vector<CauseTotal> &Gaps) {
  int64_t Sum = 0;
  for (const CauseTotal &C : Gaps)
    Sum += C.Total;
  return Sum;
}

std::string report::idleOutside(const Input &Subject) {
  const bool Inside = Subject.R.InSteps.has_value();
  const int64_t Outside =
      Inside ? idleTime(Subject.R.Gaps) - idleTime(Subject.R.InSteps->Gaps) : 0;
  return Outside > 0
             ? fmt::format("Outside these steps, the GPU was idle for {} in "
                           "total",
                           duration(Outside))
             : "";
}
