// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workflow commands of GitHub Actions, which show a message next to a line.
#ifndef AUTOPROF_REPORT_GITHUB_H
#define AUTOPROF_REPORT_GITHUB_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace autoprof::report {

/// `Property`: for the part before the message, where more characters are
/// markup.
std::string escapeGithub(llvm::StringRef Text, bool Property);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_GITHUB_H
