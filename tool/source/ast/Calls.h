// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which calls are sites: kernel launches, and calls of catalogued
// functions that move work or memory or may make the host wait. A function
// counts as catalogued by its name and the place of its declaration, so that a
// user's function with the same name does not.
//
// For C++ libraries the catalogue has names without template arguments and
// inline namespaces, and members under the class that users name: the methods
// of thrust::detail::vector_base are those of thrust::device_vector if the
// object is one.
#pragma once

#include "catalogue/Catalogue.h"

#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace autoprof::source {

struct CataloguedCall {
  llvm::StringRef Kind;
  std::string Callee; ///< The kernel, or the function without suffixes.
  /// It launches, copies, sets or may wait: more than allocating or freeing.
  bool IsWork = true;
};

/// Classifies `Call` if it is a site; otherwise none.
std::optional<CataloguedCall> catalogued(const clang::CallExpr *Call,
                                         const clang::SourceManager &SM);

/// Classifies this construction of an object if it is a site.
std::optional<CataloguedCall>
catalogued(const clang::CXXConstructExpr *Construct,
           const clang::SourceManager &SM);

/// Whether the row is the constructor of a vector in host memory and no
/// argument shows that its elements come from the GPU: then it is not a site.
bool isMadeOnHost(const catalogue::Row &Row,
                  llvm::ArrayRef<const clang::Expr *> Arguments);

/// Returns `S` if it creates an object of a type that it names, `T(x)`, and
/// only an instantiation shows how; otherwise null.
const clang::Expr *unresolvedConstruction(const clang::Stmt *S);

/// Classifies a reference to `F` other than a call, if a call would be a site.
std::optional<CataloguedCall> catalogued(const clang::FunctionDecl *F,
                                         const clang::SourceManager &SM);

/// Classifies the destruction of an object of this type if it is a site: its
/// own, or that of the first of its bases, members and (in containers of std)
/// elements that is one.
std::optional<CataloguedCall>
cataloguedDestructor(clang::QualType Type, const clang::SourceManager &SM);

/// The place of a call: in a chain of calls that begin at the same place, each
/// is at its own name or operator.
clang::SourceLocation placeOf(const clang::CallExpr *Call);

/// The functions that `Call` may call: one, or in a template the overloads from
/// which its instantiation will choose. None for a call through a pointer,
/// except for a constant pointer with a known value.
llvm::SmallVector<const clang::FunctionDecl *, 1>
callees(const clang::CallExpr *Call);

} // namespace autoprof::source
