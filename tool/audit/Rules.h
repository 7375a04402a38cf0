// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of rules. scripts/new-rule creates a new one.
#ifndef AUTOPROF_AUDIT_RULES_H
#define AUTOPROF_AUDIT_RULES_H

#include "audit/Finding.h"

namespace autoprof::audit {

struct Rule {
  llvm::StringLiteral Name; ///< "autoprof-sync-in-loop".
  llvm::StringLiteral Doc;  ///< One sentence.
  void (*Check)(const Project &, std::vector<Finding> &);
};

/// In the order in which they claim a call: of several findings at one call,
/// that of the first rule is reported.
llvm::ArrayRef<Rule> rules();

/// The rule that somebody who wrote `Name` probably meant, or "".
std::string nearestRule(llvm::StringRef Name);

/// All findings of the rules that `Wants` selects, in the order of the source,
/// at most one for each site.
std::vector<Finding>
check(const Project &P, llvm::function_ref<bool(llvm::StringRef Rule)> Wants);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_H
