// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of rules, and what they find in a project.
#ifndef AUTOPROF_AUDIT_RULES_H
#define AUTOPROF_AUDIT_RULES_H

#include "audit/Finding.h"

namespace autoprof::audit {

struct Rule {
  llvm::StringLiteral Name; ///< "autoprof-sync-in-loop".
  llvm::StringLiteral Doc;  ///< One sentence.
};

llvm::ArrayRef<Rule> rules();

/// The rule that somebody who wrote `Name` probably meant, or "".
std::string nearestRule(llvm::StringRef Name);

/// The launching loops, the waits in them, and what else the rules that `Wants`
/// selects find.
Findings check(const Project &P,
               llvm::function_ref<bool(llvm::StringRef Rule)> Wants);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_H
