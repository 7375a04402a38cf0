// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits of the text of a translation unit's main file, from its syntax tree. An
// error is the reason why there is none, a clause.
#pragma once

#include "patch/UnifiedDiff.h"

#include "clang/AST/ASTContext.h"
#include "llvm/Support/Error.h"

#include <map>

namespace autoprof::patch {

/// The calls of the catalogue in the main file, by offset, each behind what is
/// around it, the outermost statement first.
using Calls = std::map<unsigned, std::vector<const clang::Stmt *>>;
Calls callsIn(clang::ASTContext &Context);

/// Removes the call at `Offset` with the statement that makes and checks it.
llvm::Expected<LineEdit> removeCall(clang::ASTContext &Context,
                                    const Calls &All, unsigned Offset);

/// Lines for the beginning of main() by which the current device's default
/// memory pool keeps what is freed; errors are ignored.
extern const char ThresholdLines[];
llvm::Expected<LineEdit> keepPool(clang::ASTContext &Context);

} // namespace autoprof::patch
