// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops and conditions that ask whether the GPU, or another thread, is done.
#ifndef AUTOPROF_AUDIT_EXTRACT_QUERIES_H
#define AUTOPROF_AUDIT_EXTRACT_QUERIES_H

#include "clang/AST/Expr.h"

namespace autoprof::audit {

/// Whether it is a call of cudaStreamQuery, cudaEventQuery or the like.
bool isQuery(const clang::Stmt *S);

/// Whether a loop only asks whether the GPU is done, by cudaStreamQuery,
/// cudaEventQuery or the like: it neither launches kernels nor does other work
/// of the host meanwhile.
bool pollsTheGPU(const clang::Expr *Condition, const clang::Stmt *Body);

/// Whether a loop only waits for another thread: nothing but its condition
/// runs, which reads volatile memory or an atomic variable.
bool spins(const clang::Expr *Condition, const clang::Stmt *Body);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_QUERIES_H
