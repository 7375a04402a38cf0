// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What destroying an object does that is not written at that place: computed
// from its type.
#pragma once

#include "audit/Model.h"
#include "audit/extract/Callables.h"
#include "audit/extract/Names.h"

namespace autoprof::audit {

/// A part of an object that is not trivial to destroy.
struct Destruction {
  const catalogue::Row *Row = nullptr; ///< Its destructor or deleter; or,
  /// if that is the project's: the function.
  const clang::FunctionDecl *Callee = nullptr;
  std::string Name; ///< "layer.buffer".
  Value Holds;      ///< What a deleter gets.
  /// The dynamic type may be another.
  bool Virtual = false;
  /// Another object may own the part, too.
  bool Shared = false;
};

/// What destroying an object of this type calls: the destructors of its
/// members, bases and elements, and deleters. `Deleters`: those that were given
/// to the object if it is a smart pointer.
std::vector<Destruction>
destructionOf(clang::QualType T, const std::string &Name, const Value &Holds,
              const Callables &Deleters, Names &TheNames);

/// The deleters that are given to smart pointers in an expression.
Callables deletersIn(const clang::Stmt *S);

/// The smart pointer, container or the like whose content the call of a method
/// of the standard library destroys or replaces: `v` of `v.clear()`, `p` of
/// `p = nullptr`; or null.
const clang::Expr *emptiedBy(const clang::CallExpr *Call,
                             const clang::FunctionDecl *Callee);

} // namespace autoprof::audit
