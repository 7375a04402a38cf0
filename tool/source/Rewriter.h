// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewriting by a parse of its own
// -------------------------------
// A second compiler instance parses what the first is about to compile,
// silently, and only for its AST: it ignores warnings, skips the bodies of
// functions in system headers, and instantiates no function template that
// constant expressions do not need.
#ifndef AUTOPROF_SOURCE_REWRITER_H
#define AUTOPROF_SOURCE_REWRITER_H

#include "source/Rewriting.h"

#include "clang/Frontend/CompilerInstance.h"
#include <string>

namespace autoprof::source {

/// Rewrites what `CI` is about to compile, without changing `CI`. Text that
/// does not compile as it is gives an empty result, and its first error in
/// `WhyNot`. Errors in device code, which this never looks at, are no matter.
Rewriting rewrite(clang::CompilerInstance &CI, const RewriteOptions &Options,
                  std::string *WhyNot = nullptr);

/// Why the rewritten text does not compile, "" if it does. Costs a parse, so
/// it is for results that are at risk, and for users who ask (verify=on).
std::string firstError(const Rewriting &Result, clang::CompilerInstance &CI,
                       const RewriteOptions &Options);

/// Makes the compilation include `Header` before any other file. It belongs
/// into ASTConsumer::Initialize: a precompiled header replaces what the
/// preprocessor was given before.
void includeFirst(clang::Preprocessor &PP, llvm::StringRef Header);

/// True on this thread during the parses of these functions: plugins are
/// instantiated there again.
bool isParsing();

} // namespace autoprof::source

#endif // AUTOPROF_SOURCE_REWRITER_H
