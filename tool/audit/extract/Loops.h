// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of a loop that its text shows.
#ifndef AUTOPROF_AUDIT_EXTRACT_LOOPS_H
#define AUTOPROF_AUDIT_EXTRACT_LOOPS_H

#include "audit/extract/Changes.h"

#include "clang/AST/ASTContext.h"
#include <cstdint>
#include <optional>

namespace autoprof::audit {

/// Whether its counter is multiplied, or goes through a list: a loop over
/// sizes.
bool triesSizes(const clang::Stmt *Loop, const clang::ASTContext &Context);

/// Whether the loop counts, and its calls do the same each time: none of them,
/// nor a condition, depends on its counter or on pointers that it redirects.
bool repeatsWork(const clang::Stmt *Loop);

/// Whether the loop's own variable, not that of a nested loop, selects the
/// device: `for (int i = 0; ...) { cudaSetDevice(i); ... }`.
bool choosesDevice(const clang::Stmt *Loop);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_LOOPS_H
