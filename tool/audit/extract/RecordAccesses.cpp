// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records accesses of the host to memory that no variable of the function
// names: `*p`, `object->value`, `values[i]` of a vector, what a standard
// algorithm is given. Such memory may be what a copy has written under another
// name.
#include "audit/extract/Names.h"
#include "audit/extract/Recorder.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace autoprof::audit {

/// Whether an lvalue may lie outside of the variables and the object of the
/// function.
static bool mayBeElsewhere(const Expr *Object) {
  while (true) {
    Object = Object->IgnoreParenImpCasts();
    const auto *Member = llvm::dyn_cast<MemberExpr>(Object);
    const auto *Index = llvm::dyn_cast<ArraySubscriptExpr>(Object);
    if (Member && !Member->isArrow())
      Object = Member->getBase();
    else if (Index &&
             Index->getBase()->IgnoreImpCasts()->getType()->isArrayType())
      Object = Index->getBase();
    else
      break;
  }
  if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(Object))
    return Ref->getDecl()->getType()->isReferenceType();
  if (const auto *Member = llvm::dyn_cast<MemberExpr>(Object))
    return !llvm::isa<CXXThisExpr>(Member->getBase()->IgnoreParenImpCasts());
  if (const auto *Op = llvm::dyn_cast<UnaryOperator>(Object))
    return Op->getOpcode() == UO_Deref &&
           !llvm::isa<CXXThisExpr>(Op->getSubExpr()->IgnoreParenImpCasts());
  return llvm::isa<ArraySubscriptExpr, CallExpr>(Object);
}

/// Not pointers, streams and other handles: the GPU does not write them.
static bool isData(QualType T) {
  return T->isArithmeticType() || T->isEnumeralType() || T->isRecordType();
}

void Recorder::accessed(const Expr *Object) {
  if (Object->isTypeDependent() || !Object->isGLValue() ||
      !isData(Object->getType()) || !mayBeElsewhere(Object))
    return;
  // Of a cell, each access is an event of its own.
  if (std::optional<CellKey> C = Values.cellOf(Object);
      C && Sites.cellNumber(*C) >= 0)
    return;
  if (Current->Events.empty() ||
      Current->Events.back().Class != Event::Accessed)
    event(Event::Accessed, 0, Object->getBeginLoc());
}

/// Whether the callee may find memory through an argument that it gets by
/// value: a pointer or an iterator, but not text or a file.
static bool leadsToMemory(const Expr *Arg) {
  const Expr *Plain = Arg->IgnoreParenCasts();
  const QualType T = Arg->IgnoreParenImpCasts()->getType();
  if (const CXXRecordDecl *Class = T->getAsCXXRecordDecl())
    return Class->getIdentifier() && Class->getName().contains("iterator");
  const auto *AddressOf = llvm::dyn_cast<UnaryOperator>(Plain);
  if (!T->isPointerType() || llvm::isa<StringLiteral, PredefinedExpr>(Plain) ||
      (AddressOf && AddressOf->getOpcode() == UO_AddrOf &&
       !mayBeElsewhere(AddressOf->getSubExpr())))
    return false;
  const QualType Pointee = T->getPointeeType();
  const RecordDecl *Class = Pointee->getAsRecordDecl();
  const bool IsText = Pointee->isCharType() && Pointee.isConstQualified();
  const bool IsOpaque = Class && (!Class->isCompleteDefinition() ||
                                  Class->getName().contains("FILE"));
  return !Pointee->isFunctionType() && !IsText && !IsOpaque;
}

/// Calls of the API that are no sites, and what a launch consists of.
static bool isOfApi(llvm::StringRef Name) {
  return Name.starts_with("cuda") || Name.starts_with("__cuda") ||
         Name.starts_with("hip") || Name.starts_with("__hip");
}

void Recorder::accesses(const Expr *E) {
  if (const auto *Load = llvm::dyn_cast<ImplicitCastExpr>(E)) {
    if (Load->getCastKind() == CK_LValueToRValue)
      accessed(Load->getSubExpr());
  } else if (const auto *Op = llvm::dyn_cast<BinaryOperator>(E)) {
    if (Op->isAssignmentOp())
      accessed(Op->getLHS());
  } else if (const auto *Op = llvm::dyn_cast<UnaryOperator>(E)) {
    if (Op->isIncrementDecrementOp())
      accessed(Op->getSubExpr());
  } else if (const auto *Copy = llvm::dyn_cast<CXXConstructExpr>(E)) {
    for (const Expr *Arg : Copy->arguments())
      accessed(Arg);
  } else if (const auto *Call = llvm::dyn_cast<CallExpr>(E);
             Call && !Sites.find(Call)) {
    const FunctionDecl *Callee = Sites.calleeOf(Call);
    for (const Expr *Arg : Call->arguments())
      if (!Arg->getType()->isRecordType())
        accessed(Arg);
    if (!Callee || !Unit.TheNames.isSystem(Callee) ||
        isOfApi(catalogueName(Callee)))
      return;
    if (llvm::any_of(Call->arguments(), leadsToMemory) &&
        (Current->Events.empty() ||
         Current->Events.back().Class != Event::Accessed))
      event(Event::Accessed, 0, Call->getBeginLoc());
  }
}

} // namespace autoprof::audit
