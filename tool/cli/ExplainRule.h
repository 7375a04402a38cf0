// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `autoprof explain RULE`: the page of one of the audit's rules.
#ifndef AUTOPROF_CLI_EXPLAINRULE_H
#define AUTOPROF_CLI_EXPLAINRULE_H

#include "cli/Output.h"
#include "report/audit/RulePages.h"

namespace autoprof::cli {

/// The rule that the only argument names, with "autoprof-" or without; null:
/// none.
const report::RulePage *findRule(const support::Arguments &A);

/// What is wrong with a name that begins with "autoprof-", in one sentence.
std::string unknownRule(llvm::StringRef Name);

/// Prints the page; returns the exit code.
int explainRule(const report::RulePage &Page, const support::Arguments &A);

} // namespace autoprof::cli

#endif // AUTOPROF_CLI_EXPLAINRULE_H
