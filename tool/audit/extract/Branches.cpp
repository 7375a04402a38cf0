// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Branches.h"

#include "audit/extract/Inside.h"

#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

namespace {

/// cudaError_t, cublasStatus_t, CUresult, ncclResult_t, ...
bool isStatusType(QualType T) {
  const auto *Enum = T.getCanonicalType()->getAs<EnumType>();
  if (!Enum)
    return false;
  StringRef Name = Enum->getDecl()->getName();
  if (Name.empty())
    if (const TypedefNameDecl *Alias =
            Enum->getDecl()->getTypedefNameForAnonDecl())
      Name = Alias->getName();
  return Name.contains_insensitive("error") ||
         Name.contains_insensitive("status") ||
         Name.contains_insensitive("result");
}

bool asksForStatus(const Expr *Condition) {
  return anyInside(Condition, [](const Stmt *S) {
    const auto *E = llvm::dyn_cast<Expr>(S);
    return E && isStatusType(E->getType());
  });
}

bool endsProgram(const Expr *E) {
  if (const auto *Full = llvm::dyn_cast<FullExpr>(E))
    E = Full->getSubExpr();
  E = E->IgnoreParenCasts();
  if (llvm::isa<CXXThrowExpr>(E))
    return true;
  if (const auto *Op = llvm::dyn_cast<BinaryOperator>(E); Op && Op->isCommaOp())
    return endsProgram(Op->getLHS()) || endsProgram(Op->getRHS());
  const auto *Call = llvm::dyn_cast<CallExpr>(E);
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  return F &&
         (F->isNoReturn() || (F->getIdentifier() && (F->getName() == "exit" ||
                                                     F->getName() == "abort" ||
                                                     F->getName() == "_exit")));
}

/// `exit(1)`, `throw`, `abort()` on every way. One that only contains a check
/// which may exit does not give up.
bool givesUp(const Stmt *Branch) {
  if (!Branch)
    return false;
  if (const auto *E = llvm::dyn_cast<Expr>(Branch))
    return endsProgram(E);
  if (const auto *If = llvm::dyn_cast<IfStmt>(Branch))
    return givesUp(If->getThen()) && givesUp(If->getElse());
  if (const auto *Do = llvm::dyn_cast<DoStmt>(Branch))
    return givesUp(Do->getBody());
  const auto *Block = llvm::dyn_cast<CompoundStmt>(Branch);
  return Block && llvm::any_of(Block->body(), givesUp);
}

const Stmt *lastOf(const Stmt *Branch) {
  const auto *Block = llvm::dyn_cast_or_null<CompoundStmt>(Branch);
  return Block ? (Block->body_empty() ? nullptr : Block->body_back()) : Branch;
}

bool mentionsVerbosity(const Expr *Condition) {
  return anyInside(Condition, [](const Stmt *S) {
    StringRef Name;
    if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(S))
      Name = Ref->getDecl()->getIdentifier() ? Ref->getDecl()->getName() : "";
    else if (const auto *Member = llvm::dyn_cast<MemberExpr>(S))
      Name = Member->getMemberDecl()->getIdentifier()
                 ? Member->getMemberDecl()->getName()
                 : "";
    for (StringRef Word : {"verbos", "debug", "loglevel", "log_level", "quiet",
                           "trace", "printlevel", "print_level"})
      if (Name.contains_insensitive(Word))
        return true;
    return false;
  });
}

bool hasRemainder(const Expr *Condition) {
  return anyInside(Condition, [](const Stmt *S) {
    const auto *Op = llvm::dyn_cast<BinaryOperator>(S);
    return Op && Op->getOpcode() == BO_Rem;
  });
}

/// The variable of `i == 0`, or null.
const VarDecl *comparedWithNumber(const Expr *Condition) {
  const auto *Op =
      llvm::dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
  if (!Op || Op->getOpcode() != BO_EQ ||
      !Op->getLHS()->getType()->isIntegerType() ||
      !llvm::isa<IntegerLiteral>(Op->getRHS()->IgnoreParenImpCasts()))
    return nullptr;
  const auto *Ref =
      llvm::dyn_cast<DeclRefExpr>(Op->getLHS()->IgnoreParenImpCasts());
  return Ref ? llvm::dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

bool countsByName(const VarDecl *V) {
  const std::string Name = StringRef(V->getName()).lower();
  for (StringRef Word :
       {"iter", "step", "epoch", "frame", "index", "idx", "count", "round"})
    if (StringRef(Name).contains(Word))
      return true;
  return Name.size() == 1;
}

/// `first`, `!initialized`.
bool saysFirst(const Expr *Condition) {
  const Expr *E = Condition->IgnoreParenImpCasts();
  const auto *Not = llvm::dyn_cast<UnaryOperator>(E);
  const bool Negated = Not && Not->getOpcode() == UO_LNot;
  if (Negated)
    E = Not->getSubExpr()->IgnoreParenImpCasts();
  StringRef Name;
  if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(E))
    Name = Ref->getDecl()->getIdentifier() ? Ref->getDecl()->getName() : "";
  else if (const auto *Member = llvm::dyn_cast<MemberExpr>(E))
    Name = Member->getMemberDecl()->getIdentifier()
               ? Member->getMemberDecl()->getName()
               : "";
  if (Negated)
    return Name.contains_insensitive("init") ||
           Name.contains_insensitive("alloc") ||
           Name.contains_insensitive("ready") ||
           Name.contains_insensitive("done");
  return Name.contains_insensitive("first");
}

/// `ok == cudaSuccess`, and more: what follows is work, not a report.
bool isGood(const Expr *Condition) {
  const auto *Op =
      llvm::dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
  if (!Op)
    return false;
  if (Op->getOpcode() != BO_LAnd)
    return Op->getOpcode() == BO_EQ;
  auto IsFine = [](const Expr *E) { return !asksForStatus(E) || isGood(E); };
  return IsFine(Op->getLHS()) && IsFine(Op->getRHS());
}

/// `i == 0`, where a loop counts i; of a parameter, the loop may be a caller's.
bool holdsOnce(const Expr *Condition,
               llvm::function_ref<bool(const VarDecl *)> IsCounted) {
  const VarDecl *V = comparedWithNumber(Condition);
  if (!V)
    return saysFirst(Condition);
  return IsCounted(V) || (llvm::isa<ParmVarDecl>(V) && countsByName(V));
}

/// `return false`, `return -1`, `return nullptr`; `return` when a pointer is
/// null.
bool saysFailure(const ReturnStmt *Return, const Expr *Condition) {
  const Expr *Value = Return->getRetValue();
  if (!Value) {
    const auto *Not =
        llvm::dyn_cast<UnaryOperator>(Condition->IgnoreParenImpCasts());
    const auto *Op =
        llvm::dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
    const Expr *Asked = Not && Not->getOpcode() == UO_LNot ? Not->getSubExpr()
                        : Op && Op->getOpcode() == BO_EQ   ? Op->getLHS()
                                                           : nullptr;
    return Asked && Asked->IgnoreParenImpCasts()->getType()->isPointerType();
  }
  Value = Value->IgnoreParenCasts();
  if (const auto *Bool = llvm::dyn_cast<CXXBoolLiteralExpr>(Value))
    return !Bool->getValue();
  if (const auto *Number = llvm::dyn_cast<IntegerLiteral>(Value))
    return Number->getValue() != 0;
  return llvm::isa<CXXNullPtrLiteralExpr, GNUNullExpr>(Value) ||
         isStatusType(Value->getType()) ||
         (llvm::isa<UnaryOperator>(Value) &&
          llvm::cast<UnaryOperator>(Value)->getOpcode() == UO_Minus);
}

} // namespace

Scope::Kind kindOfBranch(const IfStmt *If, bool Then, bool InSwitch,
                         llvm::function_ref<bool(const VarDecl *)> IsCounted) {
  const Expr *Condition = If->getCond();
  const Stmt *Branch = Then ? If->getThen() : If->getElse();
  if (givesUp(Branch))
    return Scope::ErrorPath;
  const Stmt *Last = lastOf(Branch);
  if (Last && llvm::isa<BreakStmt>(Last) && !InSwitch)
    return Scope::LeavesLoop;
  if (const auto *Return = llvm::dyn_cast_or_null<ReturnStmt>(Last))
    return asksForStatus(Condition)         ? Scope::ErrorPath
           : saysFailure(Return, Condition) ? Scope::Fails
                                            : Scope::LeavesFunction;
  if (asksForStatus(Condition))
    return isGood(Condition) == Then ? Scope::Condition : Scope::ErrorPath;
  if (mentionsVerbosity(Condition))
    return Scope::Verbose;
  if (Then && hasRemainder(Condition))
    return Scope::EveryNth;
  if (Then && holdsOnce(Condition, IsCounted))
    return Scope::Once;
  return Scope::Condition;
}

} // namespace autoprof::audit
