// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The audit of one translation unit, as warnings of the compiler.
#ifndef AUTOPROF_PLUGIN_AUDIT_H
#define AUTOPROF_PLUGIN_AUDIT_H

#include "clang/Frontend/CompilerInstance.h"
#include <memory>
#include <string>
#include <vector>

namespace autoprof::plugin {

/// Warns of findings of the rules that `Checks` selects (audit/Filters.h), at
/// the end of the translation unit, unless it had errors. Does not change what
/// is compiled. `Root`: see audit::makeExtractor.
std::unique_ptr<clang::ASTConsumer>
makeAudit(clang::CompilerInstance &CI, std::string Root, std::string Checks);

/// The globs of `Checks` that match no rule.
std::vector<std::string> unknownGlobs(llvm::StringRef Checks);

} // namespace autoprof::plugin

#endif // AUTOPROF_PLUGIN_AUDIT_H
