// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of a translation unit that the audit examines.
#ifndef AUTOPROF_AUDIT_EXTRACT_BODIES_H
#define AUTOPROF_AUDIT_EXTRACT_BODIES_H

#include "clang/AST/DeclBase.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace clang {
class FunctionDecl;
} // namespace clang

namespace autoprof::audit {

struct Bodies {
  using Functions =
      llvm::MapVector<const clang::FunctionDecl *, const clang::FunctionDecl *>;
  /// Host functions, by the canonical declaration: each instantiation of a
  /// template up to a limit, and a template only if it has none.
  Functions Host;
  /// Kernels, by their pattern: one instantiation if there is one.
  Functions Kernels;
  /// For each lambda: the enclosing function.
  llvm::DenseMap<const clang::FunctionDecl *, const clang::FunctionDecl *>
      Outer;
  /// Functions that host code names and other translation units define.
  llvm::SetVector<const clang::FunctionDecl *> Elsewhere;
  /// Functions that host code names other than to call them.
  llvm::SetVector<const clang::FunctionDecl *> AddressTaken;
};

Bodies bodiesOf(llvm::ArrayRef<clang::Decl *> TopLevel);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_BODIES_H
