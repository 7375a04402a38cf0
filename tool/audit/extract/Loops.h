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

/// How often a loop runs at most, when its counter goes from a number to a
/// number, or it goes over a list of known length. `Varying`: variables that
/// may have other values than the one they are declared with (variesIn()).
std::optional<int64_t> tripsOf(const clang::Stmt *Loop,
                               const Variables &Varying,
                               const clang::ASTContext &Context);

/// Its counter is multiplied, or goes through a list: a loop over sizes.
bool triesSizes(const clang::Stmt *Loop, const clang::ASTContext &Context);

/// `for (int i = 0; ...) { cudaSetDevice(i); ... }`: the loop's own variable,
/// not that of a loop in it, chooses the device.
bool choosesDevice(const clang::Stmt *Loop);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_LOOPS_H
