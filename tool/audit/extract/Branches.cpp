// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Branches.h"

#include "audit/extract/Inside.h"
#include "source/ast/Functions.h"

#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

bool isStatus(QualType T) {
  const auto *Enum = T.getCanonicalType()->getAs<EnumType>();
  if (!Enum)
    return false;
  StringRef Name = Enum->getDecl()->getName();
  if (Name.empty())
    if (const TypedefNameDecl *Alias =
            Enum->getDecl()->getTypedefNameForAnonDecl())
      Name = Alias->getName();
  const std::string Lower = Name.lower();
  const StringRef L = Lower;
  return llvm::any_of(llvm::ArrayRef<StringRef>(
                          {"cu", "hip", "roc", "nccl", "rccl", "nv", "npp"}),
                      [L](StringRef Start) { return L.starts_with(Start); }) &&
         (L.contains("error") || L.contains("status") || L.contains("result"));
}

/// Whether evaluating it throws or ends the program.
static bool endsProgram(const Expr *E) {
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

/// Whether a `continue`, or with `Break` a `break`, may end an iteration or the
/// loop around the code.
static bool mayLeave(const Stmt *Code, bool Break) {
  if (!Code ||
      llvm::isa<Expr, ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(Code))
    return false;
  if (Break && llvm::isa<SwitchStmt>(Code))
    return false;
  if (Break ? llvm::isa<BreakStmt>(Code) : llvm::isa<ContinueStmt>(Code))
    return true;
  return llvm::any_of(Code->children(),
                      [Break](const Stmt *S) { return mayLeave(S, Break); });
}

Scope::Exit exitOf(const Stmt *Code, bool InSwitch) {
  if (!Code)
    return Scope::Stays;
  if (llvm::isa<ContinueStmt>(Code))
    return Scope::EndsIteration;
  if (llvm::isa<BreakStmt>(Code))
    return InSwitch ? Scope::Stays : Scope::EndsLoop;
  if (llvm::isa<ReturnStmt>(Code))
    return Scope::EndsCall;
  if (const auto *E = llvm::dyn_cast<Expr>(Code))
    return endsProgram(E) ? Scope::EndsCall : Scope::Stays;
  if (const auto *Case = llvm::dyn_cast<SwitchCase>(Code))
    return exitOf(Case->getSubStmt(), InSwitch);
  if (const auto *If = llvm::dyn_cast<IfStmt>(Code))
    return std::min(exitOf(If->getThen(), InSwitch),
                    exitOf(If->getElse(), InSwitch));
  if (const auto *Do = llvm::dyn_cast<DoStmt>(Code)) {
    const Scope::Exit Exit = exitOf(Do->getBody(), false);
    return Exit == Scope::EndsCall && source::runsOnce(Do) ? Exit
                                                           : Scope::Stays;
  }
  if (const auto *Block = llvm::dyn_cast<CompoundStmt>(Code))
    return exitOf(llvm::SmallVector<const Stmt *>(Block->body()), InSwitch);
  return Scope::Stays;
}

Scope::Exit exitOf(llvm::ArrayRef<const Stmt *> Code, bool InSwitch) {
  Scope::Exit Earliest = Scope::EndsCall;
  for (const Stmt *S : Code) {
    const Scope::Exit Exit = exitOf(S, InSwitch);
    if (Exit != Scope::Stays)
      return std::min(Exit, Earliest);
    if (mayLeave(S, /*Break=*/true))
      Earliest = InSwitch ? Scope::Stays : std::min(Earliest, Scope::EndsLoop);
    if (mayLeave(S, /*Break=*/false))
      Earliest = std::min(Earliest, Scope::EndsIteration);
  }
  return Scope::Stays;
}

static bool reportsError(const Stmt *Code) {
  return anyInside(Code, [](const Stmt *S) {
    const auto *Ref = llvm::dyn_cast<DeclRefExpr>(S);
    const NamedDecl *Named = Ref ? Ref->getDecl() : nullptr;
    if (!Named || !Named->getIdentifier())
      return false;
    const StringRef Name = Named->getName();
    return Name == "stderr" || Name == "cerr" || Name == "perror";
  });
}

static bool isZero(const Expr *E, const ASTContext &Context) {
  Expr::EvalResult Result;
  if (E->isValueDependent())
    return false;
  return E->getType()->isPointerType()
             ? E->isNullPointerConstant(const_cast<ASTContext &>(Context),
                                        Expr::NPC_ValueDependentIsNotNull) !=
                   Expr::NPCK_NotNull
             : E->EvaluateAsInt(Result, Context) && Result.Val.getInt() == 0;
}

static bool returnsError(const ReturnStmt *Return, const Stmt *Code,
                         const ASTContext &Context) {
  const Expr *Value = Return->getRetValue();
  if (!Value || Value->isValueDependent())
    return false;
  Expr::EvalResult Result;
  const bool IsConstant = Value->EvaluateAsInt(Result, Context);
  if (isStatus(Value->IgnoreParenImpCasts()->getType()))
    return IsConstant && Result.Val.getInt() != 0;
  const bool IsNegative = IsConstant && Result.Val.getInt().isNegative();
  const bool IsNo = (Value->getType()->isBooleanType() ||
                     Value->getType()->isPointerType()) &&
                    isZero(Value, Context);
  return (IsNegative || IsNo) && reportsError(Code);
}

bool givesUp(const Stmt *Code, const ASTContext &Context) {
  if (!Code)
    return false;
  if (const auto *E = llvm::dyn_cast<Expr>(Code))
    return endsProgram(E);
  if (const auto *If = llvm::dyn_cast<IfStmt>(Code))
    return givesUp(If->getThen(), Context) && givesUp(If->getElse(), Context);
  if (const auto *Do = llvm::dyn_cast<DoStmt>(Code))
    return givesUp(Do->getBody(), Context);
  if (const auto *Return = llvm::dyn_cast<ReturnStmt>(Code))
    return returnsError(Return, Code, Context);
  const auto *Block = llvm::dyn_cast<CompoundStmt>(Code);
  if (!Block || Block->body_empty())
    return false;
  const auto *Return = llvm::dyn_cast<ReturnStmt>(Block->body_back());
  return (Return && returnsError(Return, Code, Context)) ||
         llvm::any_of(Block->body(), [&Context](const Stmt *S) {
           return !llvm::isa<ReturnStmt>(S) && givesUp(S, Context);
         });
}

} // namespace autoprof::audit
