// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the C library, the standard library and other APIs that matter to
// the audit.
#pragma once

#include "audit/Model.h"

#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"

#include <optional>
#include <string>

namespace autoprof::audit {

/// Whether the function sleeps, locks, or waits for another thread or process.
bool blocks(const clang::FunctionDecl *Callee);

/// Whether others continue from here and may use results of the GPU: a barrier
/// of threads or processes, OpenGL, EGL, Vulkan.
bool handsOver(const clang::FunctionDecl *Callee);

/// Whether it is `std::lock_guard lock(mutex)` or the like.
bool locks(const clang::CXXConstructExpr *E);

/// Whether the call writes the memory of this argument: `memset(p, 0, n)`,
/// `std::copy(a, b, p)`.
bool writesThrough(const clang::CallExpr *Call,
                   const clang::FunctionDecl *Callee, unsigned Argument);

struct Sink {
  Use::Kind Class;  ///< Printed or Logged.
  std::string Name; ///< "printf", "std::cout".
  unsigned FirstArgument;
};

/// The sink if a call prints or logs its arguments.
std::optional<Sink> sinkOf(const clang::CallExpr *Call,
                           const clang::FunctionDecl *Callee);

/// Whether the function formats its other arguments into the first, such as
/// `snprintf(buffer, ...)`.
bool formatsInto(const clang::FunctionDecl *Callee);

/// Whether it reads the host's clock: `std::chrono::steady_clock::now`,
/// `clock`.
bool readsClock(const clang::FunctionDecl *Callee);

} // namespace autoprof::audit
