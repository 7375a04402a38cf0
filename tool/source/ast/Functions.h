// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function is to the rewriter: its names, and whether it may have
// probes. Device code, functions for both sides, and functions that must be
// constant expressions get none. A coroutine may resume on another thread, on
// which no probe of the first thread may be open: it gets probes only where it
// cannot be suspended between their two ends.
#ifndef AUTOPROF_SOURCE_AST_FUNCTIONS_H
#define AUTOPROF_SOURCE_AST_FUNCTIONS_H

#include "clang/AST/Decl.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace autoprof::source {

/// `ns::Class::name`, without unnamed namespaces.
std::string displayName(const clang::NamedDecl *D);

/// The qualified name with parameter types, which distinguishes overloads.
std::string signature(const clang::FunctionDecl *F);

/// Runs only on the GPU: nothing in it concerns the host.
bool isDeviceOnly(const clang::FunctionDecl *F);

/// May a parse skip the body of `D`, a function? A reader of the host side does
/// not need those of system headers and of device code, and device code of
/// sources written for nvcc may contain what clang does not accept. A parse
/// asks by ASTConsumer::shouldSkipFunctionBody.
bool isSkippable(const clang::Decl *D, const clang::SourceManager &SM);

/// Why no probe may be in `F`; "" if it may. A lambda counts as constexpr only
/// where its author says so, which makes no difference to calls of CUDA
/// functions.
llvm::StringRef refusal(const clang::FunctionDecl *F, bool IsLambda);

/// May running `S`, which may be null, suspend the coroutine that it is in?
/// What a lambda in it does is not asked.
bool suspends(const clang::Stmt *S);

/// do { } while (0): an idiom of macros, not a loop.
bool runsOnce(const clang::DoStmt *Do);

/// The number of statements in a body, nested ones included; a block itself
/// does not count, and what a macro expands to counts as one.
unsigned countStatements(const clang::Stmt *Body);

} // namespace autoprof::source

#endif // AUTOPROF_SOURCE_AST_FUNCTIONS_H
