// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions, lambdas and other callable objects that are passed on or stored,
// and calls through what stores them.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace autoprof::audit {

using Callables = llvm::SmallVector<const clang::FunctionDecl *, 2>;

/// The call operators of a class; of a generic lambda, its instantiations.
Callables callOperators(const clang::CXXRecordDecl *Class);

/// The functions, lambdas and callable objects that the value of an expression
/// may be, or contain: `f`, `&f`, `[] {...}`, `std::bind(f, 1)`.
Callables callablesIn(const clang::Expr *E);

/// Whether it is a pointer to a function, or a std::function.
bool holdsFunction(clang::QualType T, clang::ASTContext &Context);

/// See Call::Through; "" for a direct call and for one whose callee is not
/// known yet.
std::string calledType(const clang::CallExpr *Call, clang::ASTContext &Context);

/// Calls `Stored` for each function that `E` itself, without its operands,
/// stores, with its type as in Call::Through: by taking its address, or by
/// making a std::function or a container of them.
void storedBy(
    const clang::Expr *E, clang::ASTContext &Context,
    llvm::function_ref<void(std::string, const clang::FunctionDecl *)> Stored);

/// Whether it makes, keeps or awaits a thread or a future. What another thread
/// runs holds up that thread, and what it queues on the GPU is not known here.
bool usesThread(const clang::Expr *E);

/// The functions that `E` passes to one whose body is not the project's, which
/// may call them: `std::for_each(begin, end, f)`, `std::thread(f)`.
Callables passedOn(const clang::Expr *E,
                   llvm::function_ref<bool(const clang::Decl *)> IsSystem);

} // namespace autoprof::audit
