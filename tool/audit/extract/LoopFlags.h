// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that a flag ends: `while (!done) { ...; done = true; }`.
#ifndef AUTOPROF_AUDIT_EXTRACT_LOOPFLAGS_H
#define AUTOPROF_AUDIT_EXTRACT_LOOPFLAGS_H

#include "clang/AST/Expr.h"

namespace autoprof::audit {

/// The parts of a loop, and the function around it.
struct LoopCode {
  const clang::Stmt *Function = nullptr, *Body = nullptr;
  const clang::Expr *Condition = nullptr, *Inc = nullptr;
};

/// Whether the body of a `while (!done)` sets `done` on each path through it,
/// and nothing that follows may set it back: neither host code nor the GPU.
/// `Condition`: the loop's, or a part of it.
bool endsAfterFirst(const clang::Expr *Condition, const LoopCode &Code);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_LOOPFLAGS_H
