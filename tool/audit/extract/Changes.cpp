// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Changes.h"

#include "audit/extract/Syntax.h"
#include "source/ast/Loops.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Stack.h"

using namespace clang;

namespace autoprof::audit {

bool isLoop(const Stmt *S) { return source::loopBody(S) != nullptr; }

const VarDecl *variableOf(const Expr *E) {
  const auto *Ref = llvm::dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return Ref ? llvm::dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

const VarDecl *staticOf(const FunctionDecl *F) {
  const auto *Body =
      F ? llvm::dyn_cast_or_null<CompoundStmt>(F->getBody()) : nullptr;
  const auto *Return = Body && Body->size() == 2
                           ? llvm::dyn_cast<ReturnStmt>(Body->body_back())
                           : nullptr;
  const VarDecl *V = Return && Return->getRetValue()
                         ? variableOf(Return->getRetValue())
                         : nullptr;
  return V && V->isStaticLocal() ? V : nullptr;
}

bool mentions(const Stmt *S, const Variables &Vars) {
  return anyInside(S, [&Vars](const Stmt *Inner) {
    const auto *Ref = llvm::dyn_cast<DeclRefExpr>(Inner);
    const auto *V = Ref ? llvm::dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    return V && Vars.contains(V);
  });
}

const Changes::OfVariable &Changes::of(const VarDecl *V) const {
  static const OfVariable Unchanged;
  auto It = Known.find(V);
  return It == Known.end() ? Unchanged : It->second;
}

bool Changes::Change::isCopy() const {
  const Expr *From = Value ? Value->IgnoreParenCasts() : nullptr;
  if (const auto *Ref = llvm::dyn_cast_or_null<DeclRefExpr>(From))
    return llvm::isa<ParmVarDecl>(Ref->getDecl());
  return llvm::isa_and_nonnull<MemberExpr>(From);
}

bool Changes::Change::isInput() const {
  return Value && anyInside(Value, [](const Stmt *S) {
           return llvm::isa<StringLiteral>(S);
         });
}

bool Changes::readsInitial(const DeclRefExpr *Ref, const VarDecl *V) const {
  if (keepsValue(V))
    return true;
  const OfVariable &Variable = of(V);
  const auto Read = EarlyReads.find(Ref);
  if (Variable.IsShared || Read == EarlyReads.end())
    return false;
  const Stmt *Outermost = Read->second;
  while (const Stmt *Loop = Outermost ? LoopAround.lookup(Outermost) : nullptr)
    Outermost = Loop;
  return !Outermost || llvm::none_of(Variable.All, [&](const Change &C) {
    return isWithin(C.Loop, Outermost);
  });
}

bool Changes::isWithin(const Stmt *Loop, const Stmt *Outer) const {
  while (Loop && Loop != Outer)
    Loop = LoopAround.lookup(Loop);
  return Loop == Outer;
}

namespace {

class Finder {
  Changes &Out;
  const Stmt *Loop = nullptr;
  const Expr *Around = nullptr; ///< The innermost call or list.
  bool InLambda = false;
  bool HasLabels = false; ///< `goto` may lead back.

public:
  explicit Finder(Changes &Out) : Out(Out) {}

  void visit(const Stmt *S) {
    if (!S)
      return;
    const Expr *Outer = Around;
    if (llvm::isa<CallExpr, CXXConstructExpr, InitListExpr>(S))
      Around = llvm::cast<Expr>(S);
    runWithSufficientStackSpace([] {}, [&] { enter(S); });
    Around = Outer;
  }

private:
  void enter(const Stmt *S) {
    if (llvm::isa<UnaryExprOrTypeTraitExpr>(S))
      return;
    HasLabels |= llvm::isa<LabelStmt>(S);
    if (isLoop(S))
      return enterLoop(S);
    if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(S))
      return share(Ref);
    if (const auto *Lambda = llvm::dyn_cast<LambdaExpr>(S))
      return enterLambda(Lambda);
    if (const auto *Region = llvm::dyn_cast<CapturedStmt>(S))
      return visit(Region->getCapturedStmt());
    if (const auto *Declaration = llvm::dyn_cast<DeclStmt>(S))
      declare(Declaration);
    if (const auto *Op = llvm::dyn_cast<BinaryOperator>(S);
        Op && Op->isAssignmentOp()) {
      change(Op->getLHS(),
             Op->isCompoundAssignmentOp() ? nullptr : Op->getRHS(), true);
      return visit(Op->getRHS());
    }
    if (const auto *Op = llvm::dyn_cast<UnaryOperator>(S);
        Op && Op->isIncrementDecrementOp())
      return change(Op->getSubExpr(), nullptr, true);
    if (const auto *Op = llvm::dyn_cast<UnaryOperator>(S);
        Op && Op->getOpcode() == UO_AddrOf &&
        llvm::isa<MemberExpr>(Op->getSubExpr()->IgnoreParenCasts()))
      return change(Op->getSubExpr(), Around, false);
    if (const auto *Cast = llvm::dyn_cast<CastExpr>(S);
        Cast && (Cast->getCastKind() == CK_LValueToRValue ||
                 Cast->getCastKind() == CK_ToVoid ||
                 Cast->getCastKind() == CK_ArrayToPointerDecay))
      return read(Cast->getSubExpr());
    if (const auto *Member = llvm::dyn_cast<MemberExpr>(S))
      return read(Member->getBase());
    if (const auto *Call = llvm::dyn_cast<CallExpr>(S))
      return enterCall(Call);
    if (const auto *Made = llvm::dyn_cast<CXXConstructExpr>(S))
      return arguments(Made->getConstructor(),
                       {Made->getArgs(), Made->getNumArgs()});
    for (const Stmt *Child : S->children())
      visit(Child);
  }

  void read(const Expr *E) {
    E = E->IgnoreParenCasts();
    const VarDecl *V = variableOf(E);
    if (V && !InLambda && !HasLabels && Out.of(V).All.empty())
      Out.EarlyReads[E] = Loop;
    if (!llvm::isa<DeclRefExpr>(E))
      visit(E);
  }

  /// A reference to a variable that is neither read nor changed there.
  void share(const DeclRefExpr *Ref) {
    if (const auto *V = llvm::dyn_cast<VarDecl>(Ref->getDecl()))
      Out.Known[V].IsShared = true;
  }

  void change(const Expr *To, const Expr *Value, bool IsAssignment) {
    To = To->IgnoreParenCasts();
    const auto *Call = llvm::dyn_cast<CallExpr>(To);
    if (const VarDecl *V =
            Call ? staticOf(Call->getDirectCallee()) : variableOf(To)) {
      Out.Known[V].All.push_back({Loop, Value, IsAssignment, To});
      Out.Known[V].IsShared |= InLambda; // It may be called anywhere.
      return;
    }
    if (const auto *Member = llvm::dyn_cast<MemberExpr>(To)) {
      if (const auto *Field =
              llvm::dyn_cast<FieldDecl>(Member->getMemberDecl())) {
        Out.Fields[Field].push_back({Loop, Value, IsAssignment, To});
      } else if (const auto *V =
                     llvm::dyn_cast<VarDecl>(Member->getMemberDecl()))
        Out.Known[V].All.push_back({Loop, Value, IsAssignment, To});
    }
    visit(To);
  }

  void declare(const DeclStmt *Declaration) {
    for (const Decl *D : Declaration->decls())
      if (const auto *V = llvm::dyn_cast<VarDecl>(D))
        Out.Known[V].DeclaredIn = Loop;
  }

  void enterLambda(const LambdaExpr *Lambda) {
    const bool Before = std::exchange(InLambda, true);
    visit(Lambda->getBody());
    InLambda = Before;
    for (const LambdaCapture &C : Lambda->captures())
      if (Lambda->isInitCapture(&C))
        visit(llvm::cast<VarDecl>(C.getCapturedVar())->getInit());
  }

  void enterLoop(const Stmt *S) {
    const auto *For = llvm::dyn_cast<ForStmt>(S);
    const auto *Range = llvm::dyn_cast<CXXForRangeStmt>(S);
    Out.LoopAround[S] = Loop;
    if (For)
      visit(For->getInit());
    if (Range)
      for (const Stmt *Part :
           {Range->getInit(), static_cast<const Stmt *>(Range->getRangeStmt()),
            static_cast<const Stmt *>(Range->getBeginStmt()),
            static_cast<const Stmt *>(Range->getEndStmt())})
        visit(Part);
    const Stmt *Outer = std::exchange(Loop, S);
    if (For) {
      visit(For->getConditionVariableDeclStmt());
      visit(For->getCond());
      visit(For->getInc());
      visit(For->getBody());
    } else if (Range) {
      visit(Range->getLoopVarStmt());
      visit(Range->getBody());
    } else {
      for (const Stmt *Child : S->children())
        visit(Child);
    }
    Loop = Outer;
  }

  void enterCall(const CallExpr *Call) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    llvm::ArrayRef<const Expr *> Args(Call->getArgs(), Call->getNumArgs());
    if (const auto *Launch = llvm::dyn_cast<CUDAKernelCallExpr>(Call))
      visit(Launch->getConfig());
    if (const auto *Op = llvm::dyn_cast<CXXOperatorCallExpr>(Call);
        Op && !Args.empty()) {
      const bool Steps = Op->getOperator() == OO_PlusPlus ||
                         Op->getOperator() == OO_MinusMinus;
      const bool IsMethod = llvm::isa_and_nonnull<CXXMethodDecl>(Callee);
      if (isHolder(Args[0]->getType()) && Op->isAssignmentOp())
        change(Args[0], Around, false);
      else if (Op->isAssignmentOp() || Steps)
        change(Args[0], nullptr, true);
      else if (IsMethod)
        read(Args[0]);
      if (Op->isAssignmentOp() || Steps || IsMethod) {
        Args = Args.drop_front();
        // The object of an operator is no parameter of a method.
        if (!IsMethod)
          Callee = nullptr;
      }
    } else if (const Expr *Holder = objectOf(Call);
               Holder && isHolder(Holder->getType()) && !holderAsked(Call) &&
               methodName(Call) != "value") {
      change(Holder, Around, false);
    } else {
      visit(Call->getCallee()->IgnoreParenImpCasts()->getStmtClass() ==
                    Stmt::DeclRefExprClass
                ? nullptr
                : Call->getCallee());
    }
    arguments(Callee, Args);
  }

  /// What is passed by address or by reference may be changed by the call.
  void arguments(const FunctionDecl *Callee,
                 llvm::ArrayRef<const Expr *> Args) {
    for (unsigned I = 0; I < Args.size(); ++I) {
      const Expr *Arg = Args[I]->IgnoreParenCasts();
      const QualType T = Callee && I < Callee->getNumParams()
                             ? Callee->getParamDecl(I)->getType()
                             : QualType();
      const auto *Op = llvm::dyn_cast<UnaryOperator>(Arg);
      const bool KeepsTarget = !T.isNull() && !T->getPointeeType().isNull() &&
                               T->getPointeeType().isConstQualified();
      if (Op && Op->getOpcode() == UO_AddrOf)
        KeepsTarget ? read(Op->getSubExpr())
                    : change(Op->getSubExpr(), Around, false);
      else if (Arg->isGLValue() && !T.isNull() && T->isLValueReferenceType() &&
               !KeepsTarget &&
               (!Arg->getType()->isRecordType() || isHolder(Arg->getType())))
        change(Arg, Around, false);
      else if (Callee || Arg->getType()->isRecordType())
        read(Arg);
      else
        visit(Args[I]);
    }
  }
};

} // namespace

Changes changesIn(const Stmt *Body) {
  Changes Result;
  Finder(Result).visit(Body);
  return Result;
}

} // namespace autoprof::audit
