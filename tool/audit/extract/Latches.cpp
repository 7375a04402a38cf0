// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Latches.h"

#include "audit/extract/Branches.h"
#include "audit/extract/Constants.h"
#include "audit/extract/Inside.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

namespace {

bool isSame(const Expr *A, const Expr *B, const ASTContext &Context) {
  llvm::FoldingSetNodeID OfA, OfB;
  bare(A)->Profile(OfA, Context, /*Canonical=*/true);
  bare(B)->Profile(OfB, Context, /*Canonical=*/true);
  return OfA == OfB || (isZero(A) && isZero(B));
}

struct Store {
  Lvalue To;
  const Expr *Value;
};

std::vector<Store> storesIn(const Stmt *S) {
  std::vector<Store> Result;
  forEachStore(S, [&Result](const Lvalue &To, const Expr *Value) {
    Result.push_back({To, Value});
  });
  return Result;
}

/// Whether the branch of a test depends on nothing but success: a status, or a
/// pointer that a call returned.
bool testsSuccess(const Expr *Condition) {
  return asksForStatus(Condition) || anyInside(Condition, [](const Stmt *S) {
           const auto *E = llvm::dyn_cast<Expr>(S);
           return E && E->getType()->isPointerType();
         });
}

/// Collects stores that no condition skips, except one that tests for success.
void certainStores(const Stmt *S, std::vector<Store> &Out) {
  if (!S || llvm::isa<LambdaExpr>(S))
    return;
  const auto *If = llvm::dyn_cast<IfStmt>(S);
  if (If && !testsSuccess(If->getCond()))
    return llvm::append_range(Out, storesIn(If->getCond()));
  if (llvm::isa<Expr, DeclStmt, ReturnStmt>(S))
    return llvm::append_range(Out, storesIn(S));
  for (const Stmt *Child : S->children())
    certainStores(Child, Out);
}

/// Whether it is `++n`, `n += k` or the like.
bool stepsIn(const Stmt *S, const Lvalue &L) {
  return anyInside(S, [&L](const Stmt *Inner) {
    const Expr *To = nullptr;
    if (const auto *Op = llvm::dyn_cast<UnaryOperator>(Inner))
      To = Op->isIncrementDecrementOp() ? Op->getSubExpr() : nullptr;
    else if (const auto *Op = llvm::dyn_cast<CompoundAssignOperator>(Inner))
      To = Op->getLHS();
    const std::optional<Lvalue> Stepped = To ? lvalueOf(To) : std::nullopt;
    return Stepped && *Stepped == L;
  });
}

/// Collects stores in the enclosing code, outside the guarded code.
void storesOutside(const Stmt *S, llvm::ArrayRef<const Stmt *> Code,
                   std::vector<Store> &Out) {
  if (!S || llvm::is_contained(Code, S) || llvm::isa<LambdaExpr>(S))
    return;
  const bool HoldsCode = llvm::any_of(Code, [S](const Stmt *Part) {
    return anyInside(S, [Part](const Stmt *I) { return I == Part; });
  });
  if (!HoldsCode) {
    llvm::append_range(Out, storesIn(S));
    return;
  }
  for (const Stmt *Child : S->children())
    storesOutside(Child, Code, Out);
}

/// A call of a container's method that looks something up in it.
struct Lookup {
  StringRef Method;
  Lvalue Container;
};

std::optional<Lookup> lookupOf(const Expr *E) {
  E = bare(E);
  // An iterator that a lookup returned.
  if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(E))
    if (const auto *V = llvm::dyn_cast<VarDecl>(Ref->getDecl());
        V && V->getInit() && V->getType()->isRecordType())
      E = bare(V->getInit()->IgnoreImplicit());
  if (const auto *Made = llvm::dyn_cast<CXXConstructExpr>(E);
      Made && Made->getNumArgs() == 1)
    E = bare(Made->getArg(0)->IgnoreImplicit());
  const auto *Call = llvm::dyn_cast<CXXMemberCallExpr>(E);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  if (!Method || !Method->getIdentifier())
    return std::nullopt;
  std::optional<Lvalue> Of = lvalueOf(Call->getImplicitObjectArgument());
  if (!Of)
    return std::nullopt;
  return Lookup{Method->getName(), *Of};
}

bool isIn(StringRef Name, std::initializer_list<StringRef> Any) {
  return llvm::is_contained(Any, Name);
}

/// The parts of a comparison, built-in or overloaded.
struct Comparison {
  BinaryOperatorKind Op;
  const Expr *Left, *Right;
};

std::optional<Comparison> comparisonOf(const Expr *E, bool Holds) {
  std::optional<Comparison> Result;
  if (const auto *Rewritten = llvm::dyn_cast<CXXRewrittenBinaryOperator>(E)) {
    const auto Form = Rewritten->getDecomposedForm();
    Result = Comparison{Form.Opcode, Form.LHS, Form.RHS};
  } else if (const auto *Op = llvm::dyn_cast<BinaryOperator>(E);
             Op && Op->isComparisonOp()) {
    Result = Comparison{Op->getOpcode(), Op->getLHS(), Op->getRHS()};
  } else if (const auto *Call = llvm::dyn_cast<CXXOperatorCallExpr>(E);
             Call && Call->isComparisonOp() && Call->getNumArgs() == 2) {
    Result =
        Comparison{BinaryOperator::getOverloadedOpcode(Call->getOperator()),
                   Call->getArg(0), Call->getArg(1)};
  }
  if (Result && Result->Op == BO_Cmp)
    return std::nullopt;
  if (Result && !Holds)
    Result->Op = BinaryOperator::negateComparisonOp(Result->Op);
  return Result;
}

class Latcher {
  const Guarded &G;
  const ASTContext &Context;
  std::vector<Store> Inside, Outside;
  /// The stores that make a number or flag end: after an exit, `done = error <
  /// limit` and `if (error < limit) done = true` may take many iterations.
  std::vector<Store> Certain;

public:
  Latcher(const Guarded &G, const ASTContext &Context)
      : G(G), Context(Context) {
    for (const Stmt *S : G.Code)
      llvm::append_range(Inside, storesIn(S));
    if (G.AfterExit)
      for (const Stmt *S : G.Code)
        certainStores(S, Certain);
    else
      Certain = Inside;
    if (!Inside.empty())
      storesOutside(G.Enclosing, G.Code, Outside);
  }

  std::optional<Latch> of(const Expr *E, bool Holds) const {
    E = E->IgnoreParenImpCasts();
    if (const auto *Full = llvm::dyn_cast<FullExpr>(E))
      E = Full->getSubExpr()->IgnoreParenImpCasts();
    if (Inside.empty() || E->isTypeDependent())
      return std::nullopt;
    if (const auto *Op = llvm::dyn_cast<UnaryOperator>(E);
        Op && Op->getOpcode() == UO_LNot)
      return of(Op->getSubExpr(), !Holds);
    if (const auto *Call = llvm::dyn_cast<CXXOperatorCallExpr>(E);
        Call && Call->getOperator() == OO_Exclaim)
      return of(Call->getArg(0), !Holds);
    if (const auto *Op = llvm::dyn_cast<BinaryOperator>(E);
        Op && Op->isLogicalOp())
      return ofBoth(Op, Holds);
    if (std::optional<Comparison> C = comparisonOf(E, Holds))
      return ofComparison(*C);
    return ofTruth(E, Holds);
  }

private:
  /// If `a && b` holds, one latch is enough; for `a || b` both are needed.
  std::optional<Latch> ofBoth(const BinaryOperator *Op, bool Holds) const {
    const std::optional<Latch> A = of(Op->getLHS(), Holds),
                               B = of(Op->getRHS(), Holds);
    const bool NeedsBoth = (Op->getOpcode() == BO_LOr) == Holds;
    if (NeedsBoth && (!A || !B))
      return std::nullopt;
    if (A && B)
      return A->Variable ? A : B; // The one that lasts for a shorter time.
    return A ? A : B;
  }

  static Latch latch(const Lvalue &L) { return {L.localVariable()}; }

  template <typename Predicate>
  bool stores(llvm::ArrayRef<Store> In, const Lvalue &L,
              const Predicate &Is) const {
    return llvm::any_of(
        In, [&](const Store &S) { return S.To == L && Is(S.Value); });
  }

  /// Handles `if (handle)` and `if (!handle)`.
  std::optional<Latch> ofTruth(const Expr *E, bool Holds) const {
    if (std::optional<Lookup> In = lookupOf(E))
      if (isIn(In->Method, {"count", "contains"})
              ? !Holds
              : In->Method == "empty" && Holds)
        return ofContainer(In->Container);
    std::optional<Lvalue> L = lvalueOf(E);
    if (!L)
      return std::nullopt;
    // Assume that an unknown value is what was created.
    auto Ends = [Holds](const Expr *Value) {
      return Holds ? Value && isZero(Value) : !Value || !isZero(Value);
    };
    auto Begins = [Holds](const Expr *Value) {
      return Holds ? !Value || !isZero(Value) : !Value || isZero(Value);
    };
    const QualType T = E->getType();
    const bool IsFlag = T->isBooleanType();
    auto EndsSurely = [&](const Expr *Value) {
      return Ends(Value) && (!G.AfterExit || !IsFlag || isDecided(Value));
    };
    const bool IsNumber = T->isIntegralOrEnumerationType();
    if (!stores(IsNumber ? Certain : Inside, *L, EndsSurely) ||
        stores(Outside, *L, Begins))
      return std::nullopt;
    return latch(*L);
  }

  /// Whether the value of a flag does not depend on data: a constant, a status,
  /// or the result of a call such as `initialize()`.
  static bool isDecided(const Expr *Value) {
    return Value && (isConstant(Value) || llvm::isa<CallExpr>(bare(Value)) ||
                     asksForStatus(Value));
  }

  std::optional<Latch> ofContainer(const Lvalue &Container) const {
    const bool Fills = llvm::any_of(Inside, [&](const Store &S) {
      return S.To.Base == Container.Base && S.To.Field == Container.Field;
    });
    return Fills ? std::optional(latch(Container)) : std::nullopt;
  }

  std::optional<Latch> ofComparison(const Comparison &C) const {
    switch (C.Op) {
    case BO_EQ:
      if (std::optional<Lookup> In = lookupOf(C.Left))
        if (In->Method == "find" || isZero(C.Right))
          return ofContainer(In->Container);
      if (isZero(C.Right))
        return ofTruth(C.Left, false);
      if (isZero(C.Left))
        return ofTruth(C.Right, false);
      return ofEqual(C.Left, C.Right);
    case BO_NE:
      if (isZero(C.Right))
        return ofTruth(C.Left, true);
      if (std::optional<Latch> L = ofUnequal(C.Left, C.Right))
        return L;
      return ofUnequal(C.Right, C.Left);
    case BO_LT:
    case BO_LE:
      return ofGrowth(C.Left, C.Right);
    case BO_GT:
    case BO_GE:
      return ofGrowth(C.Right, C.Left);
    default:
      return std::nullopt;
    }
  }

  /// Handles `if (state == Empty) state = Filled`.
  std::optional<Latch> ofEqual(const Expr *Left, const Expr *Right) const {
    if (isConstant(Left))
      std::swap(Left, Right);
    std::optional<Lvalue> L = lvalueOf(Left);
    if (!L || !isConstant(Right))
      return std::nullopt;
    if (!stores(Inside, *L,
                [&](const Expr *Value) {
                  return !Value || !isSame(Value, Right, Context);
                }) ||
        stores(Outside, *L, [&](const Expr *Value) {
          return !Value || isSame(Value, Right, Context);
        }))
      return std::nullopt;
    return latch(*L);
  }

  /// Handles `if (known != asked) known = asked`, as long as `asked` stays the
  /// same.
  std::optional<Latch> ofUnequal(const Expr *Known, const Expr *Asked) const {
    std::optional<Lvalue> L = lvalueOf(Known);
    if (!L || !stores(Inside, *L, [&](const Expr *Value) {
          return Value && isSame(Value, Asked, Context);
        }))
      return std::nullopt;
    auto Any = [](const Expr *) { return true; };
    const bool Varies = llvm::any_of(
        Outside, [&](const Store &S) { return names(Asked, S.To); });
    if (Varies || stores(Outside, *L, Any) || isMadeAround(Asked))
      return std::nullopt;
    return latch(*L);
  }

  /// Whether it uses a variable that is declared in the loop.
  bool isMadeAround(const Expr *E) const {
    return anyInside(E, [this](const Stmt *S) {
      const auto *Ref = llvm::dyn_cast<DeclRefExpr>(S);
      const auto *V = Ref ? llvm::dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
      return V && !llvm::isa<ParmVarDecl>(V) && V->hasLocalStorage() &&
             anyInside(G.Enclosing, [V](const Stmt *Inner) {
               const auto *D = llvm::dyn_cast<DeclStmt>(Inner);
               return D && llvm::is_contained(D->decls(), V);
             });
    });
  }

  /// Handles `if (have < need) have = need` and `if (v.size() < need)
  /// v.resize(need)`.
  std::optional<Latch> ofGrowth(const Expr *Have, const Expr *Need) const {
    if (std::optional<Lookup> In = lookupOf(Have);
        In && isIn(In->Method, {"size", "capacity", "length"}))
      return ofContainer(In->Container);
    std::optional<Lvalue> L = lvalueOf(Have);
    if (!L || !Have->getType()->isIntegralOrEnumerationType())
      return std::nullopt;
    auto Grows = [&](const Expr *Value) {
      if (!Value || isSame(Value, Need, Context))
        return true;
      return anyInside(Need, [&](const Stmt *S) {
        const auto *Part = llvm::dyn_cast<Expr>(S);
        std::optional<Lvalue> Named = Part ? lvalueOf(Part) : std::nullopt;
        return Named && names(Value, *Named);
      });
    };
    auto Any = [](const Expr *) { return true; };
    if (!stores(Certain, *L, Grows) || stores(Outside, *L, Any))
      return std::nullopt;
    const bool IsCounted =
        llvm::any_of(G.Code, [&](const Stmt *S) { return stepsIn(S, *L); });
    if (G.AfterExit && IsCounted)
      return std::nullopt;
    return latch(*L);
  }
};

} // namespace

std::optional<Latch> latchOf(const Guarded &G, const ASTContext &Context) {
  return Latcher(G, Context).of(G.Condition, G.Holds);
}

std::optional<Latch> latchOfCase(const Expr *State, const Expr *Label,
                                 llvm::ArrayRef<const Stmt *> Code,
                                 const Stmt *Body, const ASTContext &Context) {
  std::optional<Lvalue> L = lvalueOf(State);
  if (!L || !Label)
    return std::nullopt;
  auto IsOther = [&](const Store &S) {
    return S.To == *L && S.Value && isConstant(S.Value) &&
           !isSame(S.Value, Label, Context);
  };
  const bool Leaves = llvm::any_of(
      Code, [&](const Stmt *S) { return llvm::any_of(storesIn(S), IsOther); });
  // There is no way back: all other stores are of other states.
  const bool Returns = llvm::any_of(storesIn(Body), [&](const Store &S) {
    return S.To == *L && !IsOther(S);
  });
  return Leaves && !Returns ? std::optional(Latch{L->localVariable()})
                            : std::nullopt;
}

} // namespace autoprof::audit
