// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The path from a function down to a node. The walk keeps it, because querying
// the AST for parents costs more than the whole walk.
#pragma once

#include "clang/AST/Stmt.h"
#include "llvm/ADT/ArrayRef.h"

namespace autoprof::source {

/// One step: a statement or a declaration.
struct Ancestor {
  const clang::Stmt *S = nullptr;
  const clang::Decl *D = nullptr;
};

/// From the outermost node of a function to the node itself.
using Trail = llvm::ArrayRef<Ancestor>;

} // namespace autoprof::source
