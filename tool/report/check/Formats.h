// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formats of `autoprof check`.
#ifndef AUTOPROF_REPORT_CHECK_FORMATS_H
#define AUTOPROF_REPORT_CHECK_FORMATS_H

#include "report/Formats.h"
#include "report/check/Check.h"

namespace autoprof::report {

/// One line each, as compilers print them: "FILE:LINE: error: ...".
void writeCheckTerminal(llvm::raw_ostream &Out, const CheckInput &Subject,
                        const TextStyle &Style);
void writeCheckMarkdown(llvm::raw_ostream &Out, const CheckInput &Subject,
                        const TextStyle &Style);
/// Workflow commands of GitHub Actions.
void writeCheckGithub(llvm::raw_ostream &Out, const CheckInput &Subject,
                      const TextStyle &Style);
/// Schema autoprof-check/1 (docs/json.md).
void writeCheckJson(llvm::raw_ostream &Out, const CheckInput &Subject,
                    const TextStyle &Style);

inline constexpr Format<CheckInput> CheckFormats[] = {
    {"terminal", writeCheckTerminal},
    {"markdown", writeCheckMarkdown},
    {"json", writeCheckJson},
    {"github", writeCheckGithub}};

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_CHECK_FORMATS_H
