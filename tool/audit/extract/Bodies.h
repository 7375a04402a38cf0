// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of a translation unit that the audit examines.
#pragma once

#include "audit/extract/Callables.h"

#include "clang/AST/DeclBase.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <vector>

namespace autoprof::audit {

struct Bodies {
  using Functions =
      llvm::MapVector<const clang::FunctionDecl *, const clang::FunctionDecl *>;
  /// Host functions, by the canonical declaration: each instantiation of a
  /// template up to a limit, and a template only if it has none.
  Functions Host;
  /// For each lambda: the enclosing function.
  llvm::DenseMap<const clang::FunctionDecl *, const clang::FunctionDecl *>
      Outer;
  /// Functions that host code names and other translation units define.
  llvm::SetVector<const clang::FunctionDecl *> Elsewhere;
  /// Functions that are stored, with the type of what stores them, see
  /// TranslationUnit::Stored.
  std::vector<std::pair<std::string, const clang::FunctionDecl *>> Stored;
  /// The same with the field or global variable that they are assigned to.
  std::vector<std::pair<const clang::ValueDecl *, const clang::FunctionDecl *>>
      StoredIn;
  /// Definitions of classes with virtual functions, instantiations, too.
  std::vector<const clang::CXXRecordDecl *> Classes;
  /// The deleters that smart pointers get somewhere: by variable or field.
  llvm::DenseMap<const clang::ValueDecl *, Callables> Deleters;
};

Bodies bodiesOf(clang::ASTContext &Context,
                llvm::ArrayRef<clang::Decl *> TopLevel);

} // namespace autoprof::audit
