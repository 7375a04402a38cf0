// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of functions for the rewriter: their names, and whether they may
// have probes. Device code, functions for both sides, and functions that must
// be constant expressions get none. A coroutine may resume on another thread,
// where no probe of the first thread may be open: it gets probes only where it
// cannot be suspended between their two ends.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace autoprof::source {

/// `ns::Class::name`, without unnamed namespaces.
std::string displayName(const clang::NamedDecl *D);

/// The qualified name with parameter types, which distinguishes overloads.
std::string signature(const clang::FunctionDecl *F);

/// Whether it runs only on the GPU, so that nothing in it concerns the host.
bool isDeviceOnly(const clang::FunctionDecl *F);

/// Whether a parse may skip the body of `D`, a function. Reading the host side
/// does not need bodies in system headers and of device code, and device code
/// of sources written for nvcc may contain code that clang does not accept. For
/// ASTConsumer::shouldSkipFunctionBody.
bool isSkippable(const clang::Decl *D, const clang::SourceManager &SM);

/// Why `F` may not have probes; "" if it may. A lambda counts as constexpr only
/// if it is declared so, which makes no difference to calls of CUDA functions.
llvm::StringRef refusal(const clang::FunctionDecl *F, bool IsLambda);

/// Whether running `S`, which may be null, can suspend the enclosing coroutine.
/// The bodies of lambdas in it do not count.
bool suspends(const clang::Stmt *S);

/// Whether it is `do { } while (0)`: an idiom of macros, not a loop.
bool runsOnce(const clang::DoStmt *Do);

/// The number of statements in a body, nested ones included; a block itself
/// does not count, and what a macro expands to counts as one.
unsigned countStatements(const clang::Stmt *Body);

} // namespace autoprof::source
