// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creates probes as nodes of the syntax tree: those to which autoprof/probe.h's
// macros would be parsed. They are created without Sema, whose state at the end
// of a translation unit is not that of their place. So nothing is looked up,
// instantiated, or diagnosed.
//
//   C++  f(x)   ((void)::autoprof::scope(id), f(x))   until the full
//                                                     expression ends
//   C    f(x)   ({ guard; f(x); })
//   range, in both: a variable `guard` with the attribute cleanup
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include <cstdint>
#include <optional>

namespace autoprof::source {

class ProbeNodes {
public:
  /// Returns none if the translation unit lacks parts of autoprof/probe.h.
  static std::optional<ProbeNodes> of(clang::ASTContext &Context);

  /// `E` with a probe; its type and value category do not change. In C++ the
  /// result has a temporary, so the expression that contains it must be
  /// withCleanups().
  clang::Expr *site(uint64_t Id, clang::Expr *E, clang::DeclContext *Scope);

  /// A full expression that destroys its temporaries.
  clang::Expr *withCleanups(clang::Expr *FullExpression);

  /// `Body` in a block that begins with the guard of a range.
  clang::CompoundStmt *range(uint64_t Id, clang::Stmt *Body,
                             clang::DeclContext *Scope);

  /// `V`, between two variables that mark where its destruction begins and
  /// ends.
  clang::DeclGroupRef destruction(uint64_t Id, clang::DeclGroupRef Group,
                                  clang::VarDecl *V, clang::DeclContext *Scope);

  /// A note for the object file, as AP_TABLE makes it.
  clang::Decl *table(llvm::StringRef Rows, clang::SourceLocation Position);

  /// The definition of autoprof_hooks_v1.
  const clang::Decl *hooks() const;

private:
  explicit ProbeNodes(clang::ASTContext &Context) : Context(Context) {}

  clang::FunctionDecl *function(llvm::StringRef Name) const;
  /// In C++, autoprof::Name.
  clang::NamedDecl *member(llvm::StringRef Name) const;
  clang::Expr *number(uint64_t Value, clang::SourceLocation Position);
  clang::Expr *call(clang::FunctionDecl *F, clang::Expr *Argument,
                    clang::SourceLocation Position);
  clang::VarDecl *guard(llvm::StringRef Name, clang::QualType Type,
                        clang::Expr *Value, clang::FunctionDecl *Cleanup,
                        clang::DeclContext *Scope,
                        clang::SourceLocation Position);
  clang::VarDecl *guard(clang::FunctionDecl *Begin, clang::FunctionDecl *End,
                        uint64_t Id, clang::DeclContext *Scope,
                        clang::SourceLocation Position);
  clang::Stmt *declaration(clang::VarDecl *V);

  clang::ASTContext &Context;
  clang::FunctionDecl *SiteBegin = nullptr, *SiteEnd = nullptr,
                      *RangeBegin = nullptr, *RangeEnd = nullptr,
                      *Destruction = nullptr, *DestructionBegin = nullptr;
  clang::FunctionDecl *Scope = nullptr; ///< autoprof::scope; null in C.
  clang::CXXDestructorDecl *ScopeEnd = nullptr;
};

} // namespace autoprof::source
