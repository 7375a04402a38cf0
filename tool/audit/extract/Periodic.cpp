// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Periodic.h"

#include "audit/extract/Changes.h"
#include "audit/extract/Inside.h"
#include "audit/extract/Lvalues.h"
#include "audit/extract/Sinks.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

using IsCountedFn = llvm::function_ref<bool(const VarDecl *)>;

bool countsByName(const VarDecl *V) {
  const std::string Name = StringRef(V->getName()).lower();
  for (StringRef Word :
       {"iter", "step", "epoch", "frame", "index", "idx", "count", "round"})
    if (StringRef(Name).contains(Word))
      return true;
  return Name.size() == 1;
}

static const Expr *withoutParens(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *Full = llvm::dyn_cast<FullExpr>(E))
    E = Full->getSubExpr()->IgnoreParenImpCasts();
  return E;
}

/// The expression that a local flag stands for: its initial value.
static const Expr *meaningOf(const Expr *E) {
  const VarDecl *V = variableOf(E);
  const bool IsFlag = V && V->hasLocalStorage() && !llvm::isa<ParmVarDecl>(V) &&
                      V->getInit() &&
                      V->getType().getNonReferenceType()->isBooleanType();
  return IsFlag ? V->getInit() : nullptr;
}

/// Whether it is 3 or larger, or unknown.
static bool isLarge(const Expr *Divisor) {
  const auto *Number = llvm::dyn_cast<IntegerLiteral>(withoutParens(Divisor));
  return !Number || Number->getValue().ugt(2);
}

/// Whether it is `i % n`, or `i & 63` for a counter.
static bool isRemainder(const Expr *E, IsCountedFn IsCounted) {
  return anyInside(E, [&](const Stmt *S) {
    const auto *Op = llvm::dyn_cast<BinaryOperator>(S);
    if (!Op)
      return false;
    if (Op->getOpcode() == BO_Rem)
      return isLarge(Op->getRHS());
    const VarDecl *V =
        Op->getOpcode() == BO_And ? variableOf(Op->getLHS()) : nullptr;
    return V && (IsCounted(V) || countsByName(V)) && isLarge(Op->getRHS());
  });
}

bool isSeldom(const Expr *Condition, bool Holds, IsCountedFn IsCounted) {
  const Expr *E = withoutParens(Condition);
  if (const auto *Not = llvm::dyn_cast<UnaryOperator>(E);
      Not && Not->getOpcode() == UO_LNot)
    return isSeldom(Not->getSubExpr(), !Holds, IsCounted);
  const auto *Op = llvm::dyn_cast<BinaryOperator>(E);
  if (Op && Op->isLogicalOp()) {
    const bool A = isSeldom(Op->getLHS(), Holds, IsCounted),
               B = isSeldom(Op->getRHS(), Holds, IsCounted);
    return (Op->getOpcode() == BO_LOr) == Holds ? A && B : A || B;
  }
  if (Op && Op->isEqualityOp())
    return (Op->getOpcode() == BO_EQ) == Holds &&
           (isRemainder(Op->getLHS(), IsCounted) ||
            isRemainder(Op->getRHS(), IsCounted));
  if (const Expr *Meaning = meaningOf(E))
    return isSeldom(Meaning, Holds, IsCounted);
  return Op && !Holds && isRemainder(Op, IsCounted);
}

/// What `++n` or `n--` counts, or null.
static const Expr *countedIn(const Expr *E) {
  const auto *Step = llvm::dyn_cast<UnaryOperator>(withoutParens(E));
  return Step && Step->isIncrementDecrementOp() ? Step->getSubExpr() : nullptr;
}

/// Whether it is `n = n + 1` or the like.
static bool addsToItself(const BinaryOperator *Store, const Lvalue &L) {
  const auto *Sum =
      llvm::dyn_cast<BinaryOperator>(withoutParens(Store->getRHS()));
  return Store->getOpcode() == BO_Assign && Sum && Sum->isAdditiveOp() &&
         lvalueOf(Store->getLHS()) == L && names(Sum, L);
}

/// Whether there is `++n`, `n--`, `n += 2` or `n = n + 1` outside the branch.
static bool countsOutside(const Stmt *S, const Lvalue &L, const Stmt *Branch) {
  if (!S || S == Branch)
    return false;
  const auto *Step = llvm::dyn_cast<Expr>(S);
  const auto *Sum = llvm::dyn_cast<CompoundAssignOperator>(S);
  const auto *Store = llvm::dyn_cast<BinaryOperator>(S);
  if (Store && addsToItself(Store, L))
    return true;
  const Expr *Counted = Step && countedIn(Step) ? countedIn(Step)
                        : Sum && (Sum->getOpcode() == BO_AddAssign ||
                                  Sum->getOpcode() == BO_SubAssign)
                            ? Sum->getLHS()
                            : nullptr;
  if (Counted && lvalueOf(Counted) == L)
    return true;
  for (const Stmt *Child : S->children())
    if (countsOutside(Child, L, Branch))
      return true;
  return false;
}

/// Whether it outlives the function: other functions may count it.
static bool isShared(const Lvalue &L) {
  const auto *V = llvm::dyn_cast_or_null<VarDecl>(L.Base);
  return L.Field || (V && V->hasGlobalStorage());
}

/// What a call of this method, without arguments, is called on.
static std::optional<Lvalue> objectOf(const Expr *E, StringRef Method) {
  const auto *Call = llvm::dyn_cast<CXXMemberCallExpr>(withoutParens(E));
  const CXXMethodDecl *F = Call ? Call->getMethodDecl() : nullptr;
  if (!F || !F->getIdentifier() || F->getName() != Method ||
      Call->getNumArgs() != 0)
    return std::nullopt;
  return lvalueOf(Call->getImplicitObjectArgument());
}

/// Whether it is `if (kept.size() >= n) { ...; kept.clear(); }`.
static bool clearsFull(const BinaryOperator *Condition, const Stmt *Branch) {
  const BinaryOperatorKind Kind = Condition->getOpcode();
  if ((Kind != BO_GE && Kind != BO_GT && Kind != BO_EQ) ||
      !isLarge(Condition->getRHS()))
    return false;
  const std::optional<Lvalue> Full = objectOf(Condition->getLHS(), "size");
  return Full && !Full->IsElement && anyInside(Branch, [&](const Stmt *S) {
           const auto *E = llvm::dyn_cast<Expr>(S);
           return E && objectOf(E, "clear") == Full;
         });
}

bool isCounterReset(const Expr *Condition, const Stmt *Branch,
                    const Stmt *Body) {
  const auto *Op = llvm::dyn_cast<BinaryOperator>(withoutParens(Condition));
  if (!Op || !Op->isComparisonOp())
    return false;
  if (clearsFull(Op, Branch))
    return true;
  for (const bool IsLeft : {true, false}) {
    const Expr *Side = IsLeft ? Op->getLHS() : Op->getRHS(),
               *Limit = IsLeft ? Op->getRHS() : Op->getLHS();
    const Expr *Counted = countedIn(Side);
    const std::optional<Lvalue> L = lvalueOf(Counted ? Counted : Side);
    if (!L || L->IsElement || !Side->getType()->isIntegerType())
      continue;
    bool IsReset = false, IsZeroed = false;
    forEachStore(Branch, [&](const Lvalue &To, const Expr *Value) {
      const auto *Number =
          Value ? llvm::dyn_cast<IntegerLiteral>(withoutParens(Value))
                : nullptr;
      IsReset |= To == *L && Value;
      IsZeroed |= To == *L && Number && Number->getValue() == 0;
    });
    // `count >= limit` holds again only after others have counted it up.
    const bool IsFull = IsZeroed && isShared(*L) && isLarge(Limit) &&
                        !llvm::isa<CXXBoolLiteralExpr>(withoutParens(Limit));
    if (IsReset && (Counted || IsFull || countsOutside(Body, *L, Branch)))
      return true;
  }
  return false;
}

/// Whether it reads a clock, directly or in a function whose body is visible.
static bool asksClock(const Stmt *S) {
  return anyInside(S, [](const Stmt *Inner) {
    const auto *Call = llvm::dyn_cast<CallExpr>(Inner);
    const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
    return F && (readsClock(F) || anyInside(F->getBody(), [](const Stmt *Deep) {
                   const auto *Next = llvm::dyn_cast<CallExpr>(Deep);
                   return Next && Next->getDirectCallee() &&
                          readsClock(Next->getDirectCallee());
                 }));
  });
}

/// The variables whose values come from a clock.
static Variables timesIn(const Stmt *Body) {
  Variables Result;
  auto Consider = [&Result](const VarDecl *V, const Expr *Value) {
    return V && Value && (asksClock(Value) || mentions(Value, Result)) &&
           Result.insert(V).second;
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    anyInside(Body, [&](const Stmt *S) {
      if (const auto *Declaration = llvm::dyn_cast<DeclStmt>(S))
        for (const Decl *D : Declaration->decls())
          if (const auto *V = llvm::dyn_cast<VarDecl>(D))
            Changed |= Consider(V, V->getInit());
      return false;
    });
    forEachStore(Body, [&](const Lvalue &To, const Expr *Value) {
      Changed |= Consider(llvm::dyn_cast_or_null<VarDecl>(To.Base), Value);
    });
  }
  return Result;
}

static bool isComparison(const Expr *E) {
  if (llvm::isa<CXXRewrittenBinaryOperator>(E))
    return true;
  if (const auto *Call = llvm::dyn_cast<CXXOperatorCallExpr>(E))
    return Call->isComparisonOp();
  const auto *Op = llvm::dyn_cast<BinaryOperator>(E);
  return Op && Op->isComparisonOp();
}

/// Whether it is in a difference or an argument: `now - last`, but not the
/// whole side of a comparison.
static bool isInDifference(const Expr *Condition, const Lvalue &L) {
  return anyInside(Condition, [&L](const Stmt *S) {
    const auto *Op = llvm::dyn_cast<BinaryOperator>(S);
    const auto *Call = llvm::dyn_cast<CallExpr>(S);
    const auto *Operator = llvm::dyn_cast<CXXOperatorCallExpr>(S);
    const bool IsPart = Op ? Op->getOpcode() == BO_Sub
                           : Call && !(Operator && Operator->isComparisonOp());
    return IsPart && names(S, L);
  });
}

bool isTimerReset(const Expr *Condition, const Stmt *Branch, const Stmt *Body) {
  const Expr *E = withoutParens(Condition);
  if (!isComparison(E))
    return false;
  bool IsReset = false;
  forEachStore(Branch, [&](const Lvalue &To, const Expr *Value) {
    // `if (time < best) best = time` is no timer.
    if (IsReset || !Value || !names(E, To) ||
        (lvalueOf(Value) && !isInDifference(E, To)))
      return;
    const Variables Times = timesIn(Body);
    IsReset = (asksClock(E) || mentions(E, Times)) &&
              (asksClock(Value) || mentions(Value, Times));
  });
  return IsReset;
}

bool namesKey(const Expr *E) {
  E = withoutParens(E);
  const auto *Ref = llvm::dyn_cast<DeclRefExpr>(E);
  const auto *Member = llvm::dyn_cast<MemberExpr>(E);
  const NamedDecl *D = Ref      ? Ref->getDecl()
                       : Member ? Member->getMemberDecl()
                                : nullptr;
  if (!D || !D->getIdentifier())
    return false;
  const StringRef Name = D->getName();
  return Name.equals_insensitive("key") || Name.equals_insensitive("keycode") ||
         Name.equals_insensitive("command");
}

bool asksForKey(const Expr *Condition) {
  const auto *Op = llvm::dyn_cast<BinaryOperator>(withoutParens(Condition));
  return Op && Op->getOpcode() == BO_EQ && namesKey(Op->getLHS()) &&
         llvm::isa<CharacterLiteral, IntegerLiteral>(
             withoutParens(Op->getRHS()));
}

Asked askedBy(const Expr *Condition, bool Holds) {
  const Expr *E = withoutParens(Condition);
  if (const auto *Not = llvm::dyn_cast<UnaryOperator>(E);
      Not && Not->getOpcode() == UO_LNot)
    return askedBy(Not->getSubExpr(), !Holds);
  if (const auto *Op = llvm::dyn_cast<BinaryOperator>(E);
      Op && Op->getOpcode() == BO_LAnd && Holds) {
    // One part is enough: use the first that can be tested.
    Asked First = askedBy(Op->getLHS(), true);
    return First.Expression ? First : askedBy(Op->getRHS(), true);
  }
  if (const Expr *Meaning = meaningOf(E))
    return askedBy(Meaning, Holds);
  const bool CanAsk = E->getType()->isBooleanType() &&
                      llvm::isa<DeclRefExpr, MemberExpr, CallExpr>(E);
  return CanAsk ? Asked{E, Holds} : Asked{};
}

} // namespace autoprof::audit
