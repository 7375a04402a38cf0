// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of a translation unit that the audit looks at.
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
  /// By how it is written (written() in Names.h): each function of the host
  /// once, a template as one of its instantiations where there is one.
  Functions Host;
  /// In the same way.
  Functions Kernels;
  /// Lambdas: the function around them.
  llvm::DenseMap<const clang::FunctionDecl *, const clang::FunctionDecl *>
      Outer;
  /// What the host's code names and other translation units define.
  llvm::SetVector<const clang::FunctionDecl *> Elsewhere;
  /// Functions that it names other than to call them.
  llvm::SetVector<const clang::FunctionDecl *> AddressTaken;
};

Bodies bodiesOf(llvm::ArrayRef<clang::Decl *> TopLevel);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_BODIES_H
