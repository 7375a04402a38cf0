// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pages of the audit's rules, docs/audit/<name>.md: what a rule finds, and
// what to do. They are part of the programs, so that every output can show or
// link them.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace autoprof::report {

struct RulePage {
  llvm::StringLiteral Rule; ///< "autoprof-sync-in-loop".
  llvm::StringLiteral Text; ///< Markdown; begins with the title.
};

/// Sorted by rule.
llvm::ArrayRef<RulePage> rulePages();

/// Null: there is no such rule. "sync-in-loop" is accepted, too.
const RulePage *findRulePage(llvm::StringRef Rule);

/// The section of docs/findings.md about a finding in recordings, as a page of
/// its own; nullopt: there is no such finding. Names are compared as those of
/// terms.
std::optional<std::string> findFindingPage(llvm::StringRef Finding);
/// The titles of that page's sections.
std::vector<llvm::StringRef> findingNames();

/// The section of docs/terms.md about a word of reports, by any of the names in
/// its title or of the labels that its last paragraph, "In reports: ...", has
/// in backticks, likewise; '-', '_' and ' ' are the same, and so are cases.
std::optional<std::string> findTermPage(llvm::StringRef Term);

/// The first name of each section of that page.
std::vector<llvm::StringRef> termPages();
/// Every name of every section.
std::vector<llvm::StringRef> termNames();

/// The address of its page if it is on the web (AUTOPROF_DOCS_URL), a link for
/// readers on other machines; else "".
std::string rulePageUrl(llvm::StringRef Rule);

} // namespace autoprof::report
