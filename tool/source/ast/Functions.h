// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function is to the rewriter: its names, and whether it may have
// probes. Device code, functions for both sides, and functions that must be
// constant expressions are left alone. A coroutine may resume on another thread
// than the one that it was suspended on, where no probe of the first may be
// open: it has probes where it cannot be suspended between the two ends.
#ifndef AUTOPROF_SOURCE_AST_FUNCTIONS_H
#define AUTOPROF_SOURCE_AST_FUNCTIONS_H

#include "clang/AST/Decl.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace autoprof::source {

/// `ns::Class::name`, without unnamed namespaces.
std::string displayName(const clang::NamedDecl *D);

/// The qualified name with parameter types: what tells overloads apart.
std::string signature(const clang::FunctionDecl *F);

/// Runs only on the GPU: nothing in it concerns the host.
bool isDeviceOnly(const clang::FunctionDecl *F);

/// May a parse skip the body of `D`, a function? Those of system headers and of
/// device code are nothing to a reader of the host side, and device code is
/// where sources written for nvcc hold what clang does not take. A parse asks
/// by ASTConsumer::shouldSkipFunctionBody.
bool isSkippable(const clang::Decl *D, const clang::SourceManager &SM);

/// Why no probe may stand in `F`; "" if it may. A lambda counts as constexpr
/// only where its author says so, which makes no difference to calls of CUDA
/// functions.
llvm::StringRef refusal(const clang::FunctionDecl *F, bool IsLambda);

/// May running `S`, which may be null, suspend the coroutine that it is in?
/// What a lambda in it does is not asked.
bool suspends(const clang::Stmt *S);

/// do { } while (0): what macros are made of, and no loop.
bool runsOnce(const clang::DoStmt *Do);

/// The statements of a body, those inside others included; a block is none
/// itself, and what a macro makes is one.
unsigned countStatements(const clang::Stmt *Body);

} // namespace autoprof::source

#endif // AUTOPROF_SOURCE_AST_FUNCTIONS_H
