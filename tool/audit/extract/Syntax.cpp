// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Syntax.h"

#include "catalogue/HipNames.h"
#include "source/ast/Functions.h"

#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

std::string shortText(SourceRange R, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  CharSourceRange Text = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(R), SM, Context.getLangOpts());
  // Text from a macro is shown as written: by the macro's name.
  if (Text.isInvalid())
    Text = SM.getExpansionRange(R);
  std::string Result;
  bool Space = false;
  for (char C : Lexer::getSourceText(Text, SM, Context.getLangOpts())) {
    if (isWhitespace(C)) {
      Space = !Result.empty();
      continue;
    }
    if (Space)
      Result += ' ';
    Space = false;
    Result += C;
    if (Result.size() > 60)
      return Result.substr(0, 57) + "...";
  }
  return Result;
}

bool isQuery(const Stmt *S) {
  const auto *Call = llvm::dyn_cast_or_null<CallExpr>(S);
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  if (!F || !F->getIdentifier())
    return false;
  const StringRef Name = catalogue::cudaName(F->getName());
  return Name.starts_with("cudaStreamQuery") ||
         Name.starts_with("cudaEventQuery") || Name == "cuStreamQuery" ||
         Name == "cuEventQuery";
}

static bool isEmpty(const Stmt *Body) {
  const auto *Block = llvm::dyn_cast_or_null<CompoundStmt>(Body);
  return Body && (llvm::isa<NullStmt>(Body) || (Block && Block->body_empty()));
}

/// Whether it reads volatile memory, or an atomic variable.
static bool readsShared(const Stmt *S) {
  return anyInside(S, [](const Stmt *Inner) {
    const auto *E = llvm::dyn_cast<Expr>(Inner);
    if (!E)
      return false;
    const QualType T = E->getType();
    const auto *Class = T->getAsCXXRecordDecl();
    return (E->isGLValue() && T.isVolatileQualified()) || T->isAtomicType() ||
           (Class && Class->getIdentifier() && Class->isInStdNamespace() &&
            Class->getName().contains("atomic"));
  });
}

bool spins(const Expr *Condition, const Stmt *Body) {
  return isEmpty(Body) && readsShared(Condition);
}

const Expr *conditionOf(const Stmt *Loop) {
  if (const auto *For = llvm::dyn_cast<ForStmt>(Loop))
    return For->getCond();
  if (const auto *While = llvm::dyn_cast<WhileStmt>(Loop))
    return While->getCond();
  const auto *Do = llvm::dyn_cast<DoStmt>(Loop);
  return Do ? Do->getCond() : nullptr;
}

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

static StringRef pointeeName(QualType T) {
  const QualType Pointee = T.getCanonicalType()->getPointeeType();
  const RecordDecl *Class =
      Pointee.isNull() ? nullptr : Pointee->getAsRecordDecl();
  return Class && Class->getIdentifier() ? Class->getName() : "";
}

bool isStream(QualType T) {
  return pointeeName(T) == "CUstream_st" || pointeeName(T) == "ihipStream_t";
}

bool isEvent(QualType T) {
  return pointeeName(T) == "CUevent_st" || pointeeName(T) == "ihipEvent_t";
}

const Expr *bare(const Expr *E) {
  for (;;) {
    const Expr *Before = E;
    E = E->IgnoreParens();
    if (const auto *Default = llvm::dyn_cast<CXXDefaultArgExpr>(E))
      E = Default->getExpr();
    else if (const auto *Default = llvm::dyn_cast<CXXDefaultInitExpr>(E))
      E = Default->getExpr() ? Default->getExpr() : E;
    else if (const auto *Full = llvm::dyn_cast<FullExpr>(E))
      E = Full->getSubExpr();
    else if (const auto *Temp = llvm::dyn_cast<MaterializeTemporaryExpr>(E))
      E = Temp->getSubExpr();
    else if (const auto *Bind = llvm::dyn_cast<CXXBindTemporaryExpr>(E))
      E = Bind->getSubExpr();
    else if (const auto *Subst =
                 llvm::dyn_cast<SubstNonTypeTemplateParmExpr>(E))
      E = Subst->getReplacement();
    else if (const auto *List = llvm::dyn_cast<InitListExpr>(E);
             List && List->getNumInits() == 1 &&
             List->getType()->isScalarType())
      E = List->getInit(0);
    else if (const auto *List = llvm::dyn_cast<ParenListExpr>(E);
             List && List->getNumExprs() == 1) // `x(0)` in a template.
      E = List->getExpr(0);
    if (E == Before)
      return E;
  }
}

const Expr *strip(const Expr *E) {
  for (;;) {
    const Expr *Before = E;
    E = bare(E->IgnoreParenCasts());
    if (E == Before)
      return E;
  }
}

const ValueDecl *namedBy(const Expr *E) {
  E = strip(E);
  if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(E))
    return Ref->getDecl();
  const auto *Member = llvm::dyn_cast<MemberExpr>(E);
  return Member ? Member->getMemberDecl() : nullptr;
}

bool isHolder(QualType T) {
  const CXXRecordDecl *Class = T.getNonReferenceType()->getAsCXXRecordDecl();
  if (!Class || !Class->getIdentifier())
    return false;
  const StringRef Name = Class->getName();
  return (Name.ends_with("_ptr") && Name != "weak_ptr") ||
         (Class->isInStdNamespace() &&
          (Name == "optional" || Name == "function"));
}

const Expr *holderAsked(const CallExpr *Call) {
  const Expr *Object = objectOf(Call);
  if (Object && isHolder(Object->getType()))
    return methodName(Call) == "get" || methodName(Call) == "has_value" ||
                   llvm::isa_and_nonnull<CXXConversionDecl>(
                       Call->getDirectCallee())
               ? Object
               : nullptr;
  const auto *Op = llvm::dyn_cast<CXXOperatorCallExpr>(Call);
  if (!Op || (Op->getOperator() != OO_EqualEqual &&
              Op->getOperator() != OO_ExclaimEqual))
    return nullptr;
  for (unsigned I : {0, 1})
    if (strip(Op->getArg(I))->getType()->isNullPtrType() &&
        isHolder(Op->getArg(1 - I)->getType()))
      return Op->getArg(1 - I);
  return nullptr;
}

StringRef methodName(const CallExpr *Call) {
  const auto *Method =
      llvm::dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee());
  if (Method)
    return Method->getIdentifier() ? Method->getName() : "";
  // In a template: a member of an object whose type depends on a parameter.
  if (const auto *Member = llvm::dyn_cast<CXXDependentScopeMemberExpr>(
          Call->getCallee()->IgnoreParens()))
    if (const IdentifierInfo *Name = Member->getMember().getAsIdentifierInfo())
      return Name->getName();
  return "";
}

const Expr *objectOf(const CallExpr *Call) {
  if (const auto *Member = llvm::dyn_cast<CXXMemberCallExpr>(Call))
    return Member->getImplicitObjectArgument();
  if (const auto *Member = llvm::dyn_cast<CXXDependentScopeMemberExpr>(
          Call->getCallee()->IgnoreParens()))
    return Member->isImplicitAccess() ? nullptr : Member->getBase();
  return nullptr;
}

static bool isLibraryMethod(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  return !Callee || Callee->getASTContext().getSourceManager().isInSystemHeader(
                        Callee->getLocation());
}

const Expr *ownerOf(const CallExpr *Call) {
  StringRef Name = methodName(Call);
  if (!isLibraryMethod(Call) ||
      !(Name == "data" || Name == "get" || Name == "begin" || Name == "c_str" ||
        Name == "cbegin" || Name == "data_ptr"))
    return nullptr;
  return objectOf(Call);
}

const Expr *containerOf(const CallExpr *Call) {
  if (const auto *Op = llvm::dyn_cast<CXXOperatorCallExpr>(Call))
    return (Op->getOperator() == OO_Subscript ||
            (Op->getOperator() == OO_Star && Op->getNumArgs() == 1) ||
            Op->getOperator() == OO_Arrow) &&
                   isLibraryMethod(Call)
               ? Op->getArg(0)
               : nullptr;
  StringRef Name = methodName(Call);
  if (!isLibraryMethod(Call) ||
      !(Name == "at" || Name == "front" || Name == "back"))
    return nullptr;
  return objectOf(Call);
}

} // namespace autoprof::audit
