// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the C library and the standard library that matter beside the GPU's.
#ifndef AUTOPROF_AUDIT_EXTRACT_HOSTCALLS_H
#define AUTOPROF_AUDIT_EXTRACT_HOSTCALLS_H

#include "clang/AST/ExprCXX.h"

namespace autoprof::audit {

/// It sleeps, locks, or waits for a thread.
bool blocks(const clang::FunctionDecl *Callee);

/// A barrier of threads or processes, OpenGL, EGL, Vulkan: others go on from
/// here, and may use what the GPU has done.
bool handsOver(const clang::FunctionDecl *Callee);

/// `std::lock_guard lock(mutex)`.
bool locks(const clang::CXXConstructExpr *E);

/// `memset(p, 0, n)`, `std::copy(a, b, p)`: the memory of this argument is
/// written.
bool writesThrough(const clang::CallExpr *Call,
                   const clang::FunctionDecl *Callee, unsigned Argument);

/// `setenv("CUDA_LAUNCH_BLOCKING", "1", 1)`.
bool setsLaunchBlocking(const clang::CallExpr *Call,
                        const clang::FunctionDecl *Callee);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_HOSTCALLS_H
