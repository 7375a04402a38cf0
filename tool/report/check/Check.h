// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `autoprof check` prints, one writer per format.
#ifndef AUTOPROF_REPORT_CHECK_CHECK_H
#define AUTOPROF_REPORT_CHECK_CHECK_H

#include "analysis/comparison/Baseline.h"

#include "llvm/Support/raw_ostream.h"

namespace autoprof::report {

struct CheckInput {
  std::string BaselinePath;
  const analysis::Baseline &B;
  const std::vector<analysis::RunSummary> &Traces;
  const analysis::CheckResult &R;
  const analysis::CheckLimits &Limits;
};

/// "from 1 run on NVIDIA H200: step 152 us, 2 sites wait in the steps": what
/// --update wrote.
std::string baselineSentence(const analysis::Baseline &B);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_CHECK_CHECK_H
