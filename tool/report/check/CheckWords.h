// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts that all formats of `autoprof check` share.
#ifndef AUTOPROF_REPORT_CHECK_CHECKWORDS_H
#define AUTOPROF_REPORT_CHECK_CHECKWORDS_H

#include "report/check/Check.h"

namespace autoprof::report {

/// What is new or worse, and what is allowed; without its place.
std::string message(const analysis::CheckResult &R,
                    const analysis::CheckFinding &F);
/// For a finding that may be chance: the message, the reason, and what to do.
std::string doubt(const CheckInput &Subject, const analysis::CheckFinding &F);
/// What does not fail the check but should be known, one clause each.
std::vector<std::string> notes(const CheckInput &Subject);
/// "2 failures: 3 sites wait in the steps, ...".
std::string summary(const CheckInput &Subject);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_CHECK_CHECKWORDS_H
