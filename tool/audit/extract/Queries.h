// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that ask whether the GPU is done.
#ifndef AUTOPROF_AUDIT_EXTRACT_QUERIES_H
#define AUTOPROF_AUDIT_EXTRACT_QUERIES_H

#include "clang/AST/Expr.h"

#include <string>

namespace autoprof::audit {

/// Whether a loop that polls does the host's own work meanwhile: it counts, or
/// changes what is not the result of a query.
bool computes(const clang::Stmt *Body);

/// Whether it contains a call of cudaStreamQuery, cudaEventQuery or the like.
bool asksWhetherDone(const clang::Stmt *S);

/// The query whose result a condition tests through a local variable:
/// "cudaStreamQuery" of `do { st = cudaStreamQuery(s); } while (st == ...)`.
/// "" if there is none, or if the loop also stores something else in it.
std::string queryTestedBy(const clang::Expr *Condition,
                          const clang::Stmt *Loop);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_QUERIES_H
