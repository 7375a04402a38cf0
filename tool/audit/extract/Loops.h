// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the text of a loop says of how it runs.
#ifndef AUTOPROF_AUDIT_EXTRACT_LOOPS_H
#define AUTOPROF_AUDIT_EXTRACT_LOOPS_H

#include "audit/extract/Changes.h"

#include "clang/AST/ASTContext.h"
#include <cstdint>
#include <optional>

namespace autoprof::audit {

/// Its counter is multiplied, or goes through a list: a loop over sizes.
bool triesSizes(const clang::Stmt *Loop, const clang::ASTContext &Context);

/// A loop that counts, and whose calls do the same each time: none of them, nor
/// a condition, depends on its counter or on pointers that it moves.
bool repeatsWork(const clang::Stmt *Loop);

/// `for (int i = 0; ...) { cudaSetDevice(i); ... }`: the loop's own variable,
/// not that of a loop in it, chooses the device.
bool choosesDevice(const clang::Stmt *Loop);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_LOOPS_H
