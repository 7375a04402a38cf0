// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `autoprof check` prints, one writer a format.
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

/// One line each, as compilers print them: "FILE:LINE: error: ...".
void writeCheckTerminal(llvm::raw_ostream &Out, const CheckInput &Subject,
                        bool Color);
void writeCheckMarkdown(llvm::raw_ostream &Out, const CheckInput &Subject);
/// Workflow commands of GitHub Actions.
void writeCheckGithub(llvm::raw_ostream &Out, const CheckInput &Subject);
/// Schema autoprof-check/1 (docs/json.md).
void writeCheckJson(llvm::raw_ostream &Out, const CheckInput &Subject);

/// "2 sites wait in the steps, step 152 us, of 1 run": what --update wrote.
std::string baselineSentence(const analysis::Baseline &B);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_CHECK_CHECK_H
