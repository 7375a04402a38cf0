// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `autoprof check` prints.
#pragma once

#include "analysis/comparison/Baseline.h"
#include "fields/Fields.h"
#include "report/document/Renderings.h"

namespace autoprof::report {

struct CheckInput {
  std::string BaselinePath;
  const analysis::Baseline &B;
  const std::vector<analysis::RunSummary> &Traces;
  const analysis::CheckResult &R;
  const analysis::CheckLimits &Limits;
};

/// What is new or worse, and what is allowed; without its place.
std::string message(const analysis::CheckResult &R,
                    const analysis::CheckFinding &F);
/// For a finding that may be chance: the message, the reason, and what to do.
std::string doubt(const CheckInput &Subject, const analysis::CheckFinding &F);
/// What does not fail the check but should be known, one clause each.
std::vector<std::string> notes(const CheckInput &Subject);
/// "2 failures: 3 sites wait in the steps, ...".
std::string summary(const CheckInput &Subject);

/// "from 1 run on NVIDIA H200: step 152 us, 2 sites wait in the steps": what
/// --update wrote.
std::string baselineSentence(const analysis::Baseline &B);

Document checkDocument(const CheckInput &Subject, const TextStyle &Style);
/// Schema autoprof-check/1 (docs/json.md).
void writeCheckJson(llvm::raw_ostream &Out, const CheckInput &Subject,
                    const TextStyle &Style);
void checkFields(fields::Fields &F, const CheckInput &Subject);

inline constexpr auto CheckFormats = formatsOf<checkDocument>(
    Format<CheckInput>{"json", writeCheckJson},
    Format<CheckInput>{"github", as<checkDocument, renderGithub>});

} // namespace autoprof::report
