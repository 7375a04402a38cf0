// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewriting by a parse of its own
// -------------------------------
// A second compiler instance parses what the first is about to compile,
// silently, and only for its AST: it ignores warnings, skips the bodies of
// functions in system headers, and instantiates no function template that
// constant expressions do not need.
#ifndef AUTOPROF_SOURCE_SEPARATEPARSE_H
#define AUTOPROF_SOURCE_SEPARATEPARSE_H

#include "source/ast/ErrorLog.h"
#include "source/text/Rewriting.h"

#include "clang/Frontend/CompilerInstance.h"
#include <string>

namespace autoprof::source {

/// Rewrites what `CI` is about to compile, without changing `CI`. The text may
/// have errors: intact functions are rewritten, and `Lost` describes the rest.
/// If nothing is intact, or with `IsStrict` if there is any error, the first
/// error is returned. Errors in device code, which this never looks at, do not
/// matter.
llvm::Expected<Rewriting> rewriteIntact(clang::CompilerInstance &CI,
                                        const RewriteOptions &Options,
                                        bool IsStrict, Loss &Lost);

/// Why the rewritten text does not compile, "" if it does. Costs a parse, so it
/// is for results at risk, and for users who request it (verify=on).
std::string firstError(const Rewriting &Result, clang::CompilerInstance &CI,
                       const RewriteOptions &Options);

/// The first error that the rewritten text has and the original has not, or "".
/// Costs a second parse only if the rewritten text has any.
std::string newError(const Rewriting &Result, clang::CompilerInstance &CI,
                     const RewriteOptions &Options);

/// Makes the compilation include `Header` before any other file. It belongs
/// into ASTConsumer::Initialize: a precompiled header replaces what the
/// preprocessor was given before.
void includeFirst(clang::Preprocessor &PP, llvm::StringRef Header);

/// True on this thread during the parses of these functions: plugins are
/// instantiated there again.
bool isParsing();

} // namespace autoprof::source

#endif // AUTOPROF_SOURCE_SEPARATEPARSE_H
