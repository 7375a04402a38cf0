// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewriting by a separate parse
// -----------------------------
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

/// Rewrites the input of `CI`, which is not compiled yet, without changing
/// `CI`. The text may have errors: intact functions are rewritten, and `Lost`
/// describes the others. If nothing is intact, or with `IsStrict` if there is
/// any error, the first error is returned. Errors in device code do not matter,
/// because it is not examined.
llvm::Expected<Rewriting> rewriteIntact(clang::CompilerInstance &CI,
                                        const RewriteOptions &Options,
                                        bool IsStrict, Loss &Lost);

/// Why the rewritten text does not compile, or "" if it does. This costs a
/// parse, so it is for results at risk, and for users who request it
/// (verify=on).
std::string firstError(const Rewriting &Result, clang::CompilerInstance &CI,
                       const RewriteOptions &Options);

/// The first error that the rewritten text has and the original has not, or "".
/// Costs a second parse only if the rewritten text has any.
std::string newError(const Rewriting &Result, clang::CompilerInstance &CI,
                     const RewriteOptions &Options);

/// Makes the compilation include `Header` before any other file. To be called
/// in ASTConsumer::Initialize, because a precompiled header replaces what the
/// preprocessor had been given earlier.
void includeFirst(clang::Preprocessor &PP, llvm::StringRef Header);

/// True on this thread during the parses of these functions, in which plugins
/// are instantiated again.
bool isParsing();

} // namespace autoprof::source

#endif // AUTOPROF_SOURCE_SEPARATEPARSE_H
