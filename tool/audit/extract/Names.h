// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of declarations: in the catalogue, and across translation units.
#pragma once

#include "catalogue/Catalogue.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>
#include <string>

namespace autoprof::audit {

/// "cudaMemcpy", "thrust::device_vector::resize": without inline and unnamed
/// namespaces and template arguments. For members inherited by a class, with
/// the name of that class if `Object` is given.
std::string catalogueName(const clang::FunctionDecl *F,
                          const clang::CXXRecordDecl *Object = nullptr);

/// The qualified name of a class or variable, in the same form.
std::string qualifiedName(const clang::NamedDecl *D);

/// The class of the object on which a member call is made, or null.
const clang::CXXRecordDecl *objectClass(const clang::CallExpr *Call);

/// Names that are valid across translation units. Names of declarations that
/// are local to a translation unit contain its main file. Not thread-safe.
class Names {
public:
  Names(const clang::SourceManager &SM, std::string MainFile)
      : SM(SM), MainFile(std::move(MainFile)) {}

  /// Each instantiation of a template has its own name, which is the same where
  /// only the template or a specialization is declared.
  const std::string &usr(const clang::NamedDecl *D);

  std::string param(const clang::FunctionDecl *F, unsigned I) {
    return "P:" + usr(F) + "#" + std::to_string(I);
  }
  std::string outParam(const clang::FunctionDecl *F, unsigned I) {
    return "O:" + usr(F) + "#" + std::to_string(I);
  }
  std::string result(const clang::FunctionDecl *F) { return "R:" + usr(F); }
  std::string field(const clang::FieldDecl *F);
  /// The slot of a field or a global variable; "" for others.
  std::string slotOf(const clang::ValueDecl *D);
  std::string global(const clang::VarDecl *V) { return "G:" + usr(V); }

  /// The row for a call of `F`, which counts as catalogued by its name and the
  /// place of its declaration: in a system header or in one of CUDA's.
  const catalogue::Row *row(const clang::FunctionDecl *F,
                            const clang::CXXRecordDecl *Object);

  bool isSystem(const clang::Decl *D) const;

private:
  std::string mangled(const clang::FunctionDecl *F);

  const clang::SourceManager &SM;
  std::string MainFile;
  std::unique_ptr<clang::MangleContext> Mangler;
  llvm::DenseMap<const clang::Decl *, std::string> Usrs;
  llvm::DenseMap<
      std::pair<const clang::FunctionDecl *, const clang::CXXRecordDecl *>,
      const catalogue::Row *>
      Rows;
};

/// The number of the function's parameter that a variable is, or -1.
int paramIndex(const clang::VarDecl *V, const clang::FunctionDecl *F);

/// The pattern of an instantiation, otherwise the function itself; canonical.
const clang::FunctionDecl *pattern(const clang::FunctionDecl *F);

} // namespace autoprof::audit
