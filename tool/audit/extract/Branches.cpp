// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Branches.h"

#include "audit/extract/Changes.h"
#include "audit/extract/Inside.h"
#include "audit/extract/Periodic.h"

#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

using IsCountedFn = llvm::function_ref<bool(const VarDecl *)>;

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

/// Whether the branch ends the program or throws on every path: `exit(1)`,
/// `throw`, `abort()`. A branch that only contains a check that may exit does
/// not.
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

/// The counter in `i`, `i + 1` or `n - 1 - i`, or null.
const VarDecl *counterIn(const Expr *E, IsCountedFn IsCounted) {
  E = E->IgnoreParenImpCasts();
  if (const VarDecl *V = variableOf(E))
    return IsCounted(V) ? V : nullptr;
  const auto *Op = llvm::dyn_cast<BinaryOperator>(E);
  if (!Op || !Op->isAdditiveOp())
    return nullptr;
  const VarDecl *Left = counterIn(Op->getLHS(), IsCounted);
  return Left ? Left : counterIn(Op->getRHS(), IsCounted);
}

bool mentionsCounter(const Expr *E, IsCountedFn IsCounted) {
  return anyInside(E, [&](const Stmt *S) {
    const auto *Ref = llvm::dyn_cast<DeclRefExpr>(S);
    const auto *V = Ref ? llvm::dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    return V && IsCounted(V);
  });
}

/// Whether it is `i == 0` or `i + 1 == n`, where a loop counts i; for a
/// parameter, the loop may be in a caller.
bool comparesCounter(const Expr *Condition, IsCountedFn IsCounted) {
  const auto *Op =
      llvm::dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
  if (!Op || Op->getOpcode() != BO_EQ ||
      !Op->getLHS()->getType()->isIntegerType())
    return false;
  const Expr *Left = Op->getLHS(), *Right = Op->getRHS();
  if (!counterIn(Left, IsCounted))
    std::swap(Left, Right);
  if (counterIn(Left, IsCounted))
    return !mentionsCounter(Right, IsCounted);
  const VarDecl *V = variableOf(Op->getLHS());
  return V && llvm::isa<ParmVarDecl>(V) && countsByName(V) &&
         llvm::isa<IntegerLiteral>(Op->getRHS()->IgnoreParenImpCasts());
}

/// Whether it is `first`, `!initialized`, or the like.
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

/// Whether it is `ok == cudaSuccess`, or more: what follows is work, not an
/// error report.
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

/// Whether it is `return false`, `return -1` or `return nullptr`, or `return`
/// if a pointer is null.
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

bool asksForStatus(const Expr *Condition) {
  return anyInside(Condition, [](const Stmt *S) {
    const auto *E = llvm::dyn_cast<Expr>(S);
    return E && isStatusType(E->getType());
  });
}

Scope::Kind kindOfBranch(const IfStmt *If, bool Then, bool InSwitch,
                         IsCountedFn IsCounted) {
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
  if (isSeldom(Condition, Then, IsCounted))
    return Scope::EveryNth;
  if (Then && (comparesCounter(Condition, IsCounted) || saysFirst(Condition)))
    return Scope::Once;
  return Scope::Condition;
}

std::optional<Scope::Kind> kindOfOperand(const Expr *Condition, bool Holds,
                                         IsCountedFn IsCounted) {
  if (asksForStatus(Condition))
    return std::nullopt;
  const auto *Not =
      llvm::dyn_cast<UnaryOperator>(Condition->IgnoreParenImpCasts());
  const bool IsNegated = Not && Not->getOpcode() == UO_LNot;
  if (mentionsVerbosity(Condition) && Holds != IsNegated)
    return Scope::Verbose;
  if (isSeldom(Condition, Holds, IsCounted))
    return Scope::EveryNth;
  if (Holds && (comparesCounter(Condition, IsCounted) || saysFirst(Condition)))
    return Scope::Once;
  // What tests the result of a call may be an error check.
  if (anyInside(Condition, [](const Stmt *S) {
        return llvm::isa<CallExpr, CXXConstructExpr>(S);
      }))
    return std::nullopt;
  return Scope::Condition;
}

bool leavesAlways(const Stmt *Branch) {
  const Stmt *Last = lastOf(Branch);
  return Last && (llvm::isa<ReturnStmt, ContinueStmt, BreakStmt>(Last) ||
                  givesUp(Branch));
}

bool endsIteration(const Stmt *Branch) {
  return llvm::isa_and_nonnull<ContinueStmt>(lastOf(Branch));
}

/// Whether it is `status == cudaSuccess`.
static bool asksForSuccess(const Expr *Condition) {
  const auto *Op =
      llvm::dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
  if (!Op || Op->getOpcode() != BO_EQ)
    return false;
  return anyInside(Op, [](const Stmt *S) {
    const auto *Ref = llvm::dyn_cast<DeclRefExpr>(S);
    const auto *Named =
        Ref ? llvm::dyn_cast<EnumConstantDecl>(Ref->getDecl()) : nullptr;
    return Named && Named->getName().contains_insensitive("success");
  });
}

Scope::Kind kindOfRest(const IfStmt *If, IsCountedFn IsCounted) {
  const Expr *Condition = If->getCond();
  if (asksForStatus(Condition))
    return asksForSuccess(Condition) ? Scope::ErrorPath : Scope::Condition;
  const auto *Not =
      llvm::dyn_cast<UnaryOperator>(Condition->IgnoreParenImpCasts());
  if (Not && Not->getOpcode() == UO_LNot && mentionsVerbosity(Condition))
    return Scope::Verbose;
  return isSeldom(Condition, false, IsCounted) ? Scope::EveryNth
                                               : Scope::Condition;
}

} // namespace autoprof::audit
