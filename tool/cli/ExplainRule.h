// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `autoprof explain RULE`: the page of a rule of the audit, or the
// section about a finding that reports print.
#ifndef AUTOPROF_CLI_EXPLAINRULE_H
#define AUTOPROF_CLI_EXPLAINRULE_H

#include "report/Output.h"

#include <optional>
#include <string>

namespace autoprof::cli {

/// The page, in Markdown, about the rule of the audit ("autoprof-" may be left
/// out) or the finding that the only argument names; nullopt: neither.
std::optional<std::string> findPage(const support::Arguments &A);

/// The error about an unknown name that begins with "autoprof-", in one
/// sentence.
std::string unknownRule(llvm::StringRef Name);

/// Prints the page; returns the exit code.
int printPage(const std::string &Page, const support::Arguments &A);

} // namespace autoprof::cli

#endif // AUTOPROF_CLI_EXPLAINRULE_H
