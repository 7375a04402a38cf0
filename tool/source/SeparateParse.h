// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewriting by a separate parse.
// A second compiler instance parses what the first is about to compile,
// silently, and only for its AST: it ignores warnings, skips the bodies of
// functions in system headers, and instantiates no function template that
// constant expressions do not need.
#pragma once

#include "source/ast/ErrorLog.h"
#include "source/text/Rewriting.h"

#include "clang/Frontend/CompilerInstance.h"
#include <string>

namespace autoprof::source {

/// Runs `Action` on the input of `CI`, which is not compiled yet, by another
/// instance, whose invocation `Adjust` may change. Files are looked up through
/// `CI`, so that nothing is read twice. The consumer decides which bodies of
/// functions are skipped (ASTConsumer::shouldSkipFunctionBody).
ErrorLog
parseSilently(clang::CompilerInstance &CI, clang::FrontendAction &Action,
              llvm::function_ref<void(clang::CompilerInvocation &)> Adjust);

/// Rewrites the input of `CI`, which is not compiled yet, without changing
/// `CI`. The text may have errors: intact functions are rewritten, and `Lost`
/// describes the others. If nothing is intact, the first error is returned.
/// Errors in device code do not matter, because it is not examined.
llvm::Expected<Rewriting> rewriteIntact(clang::CompilerInstance &CI,
                                        const RewriteOptions &Options,
                                        Loss &Lost);

/// The first error that the rewritten text has and the original has not, or "".
/// It costs a parse, and a second one only if the rewritten text has any, so it
/// is for results at risk.
std::string newError(const Rewriting &Result, clang::CompilerInstance &CI,
                     const RewriteOptions &Options);

} // namespace autoprof::source
