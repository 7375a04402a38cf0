// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What expressions of a function compute, as terms (Model.h).
#pragma once

#include "audit/Model.h"
#include "audit/extract/Changes.h"
#include "audit/extract/Names.h"

#include "clang/AST/ASTContext.h"

namespace autoprof::audit {

/// Whether it is a number, a truth value or a pointer.
bool isFollowed(clang::QualType T);
/// Whether it is a number or a truth value.
bool isNumeric(clang::QualType T);

/// The opposite of a condition.
Term negate(const Term &T);
/// Term::of(), folded; opaque if it is too large or says nothing.
Term simplify(Term::Kind Class, std::vector<Term> Parts);
/// Whether it can only be true if a call of an API failed.
bool impliesFailure(const Term &T);

/// The container or pointer of an element, and its index or null; null if it is
/// no element.
std::pair<const clang::Expr *, const clang::Expr *>
elementOf(const clang::Expr *E);

class TermMaker {
public:
  TermMaker(const clang::ASTContext &Context, Names &TheNames,
            const clang::FunctionDecl *F, const clang::Stmt *Body)
      : Context(Context), TheNames(TheNames), F(F), Changed(changesIn(Body)) {}

  /// The value of a number, a truth value or a pointer; opaque for others.
  Term of(const clang::Expr *E) const;
  /// Whether it is true.
  Term truthOf(const clang::Expr *E) const;

  const Changes &changes() const { return Changed; }
  /// To be called for all loops of the function before terms are made.
  void addLoop(const clang::Stmt *Loop, int Scope) {
    ScopeOf[Loop] = Scope;
    LoopOf[Scope] = Loop;
  }

  /// Whether a part depends on what the loop changes, or on anything unknown.
  bool variesIn(const clang::Stmt *Loop, const Term &T) const;

  const clang::ASTContext &context() const { return Context; }

private:
  Term make(const clang::Expr *E, unsigned Depth) const;
  Term truth(const clang::Expr *E, unsigned Depth) const;
  std::optional<Term> constant(const clang::Expr *E) const;
  Term dispatch(const clang::Expr *E, unsigned Depth) const;
  Term ofCast(const clang::CastExpr *Cast, unsigned Depth) const;
  Term ofUnary(const clang::UnaryOperator *Op, unsigned Depth) const;
  Term ofBinary(const clang::BinaryOperator *Op, unsigned Depth) const;
  Term compare(clang::BinaryOperatorKind Op, const clang::Expr *Left,
               const clang::Expr *Right, unsigned Depth) const;
  Term ofChoice(const clang::ConditionalOperator *Op, unsigned Depth) const;
  /// `Read`: where it is read, or null.
  Term ofVariable(const clang::VarDecl *V, unsigned Depth,
                  const clang::DeclRefExpr *Read = nullptr) const;
  /// The term of a variable that is not followed.
  Term local(const clang::VarDecl *V) const;
  Term ofMember(const clang::MemberExpr *Member, unsigned Depth) const;
  Term ofObject(const clang::Expr *E, unsigned Depth) const;
  std::optional<Term> ofText(const clang::CallExpr *Call, unsigned Depth) const;
  std::optional<int64_t> usualValue(const clang::VarDecl *V,
                                    unsigned Depth) const;
  Term ofCall(const clang::CallExpr *Call, unsigned Depth) const;
  Term loopTerm(llvm::ArrayRef<const clang::Stmt *> Loops) const;
  bool asksQuery(const clang::Expr *E) const;
  bool isAtDeclaration(const clang::VarDecl *V, const Term &T) const;

  const clang::ASTContext &Context;
  Names &TheNames;
  const clang::FunctionDecl *F;
  Changes Changed;
  llvm::DenseMap<const clang::Stmt *, int> ScopeOf;
  llvm::DenseMap<int, const clang::Stmt *> LoopOf;
};

/// The largest number of iterations of a loop; 0 or less if it never runs.
Term iterationsOf(const clang::Stmt *Loop, const TermMaker &Terms);

} // namespace autoprof::audit
