// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records sites: their arguments, facts and streams.
#include "audit/extract/Changes.h"
#include "audit/extract/Edits.h"
#include "audit/extract/Effects.h"
#include "audit/extract/Recorder.h"
#include "audit/extract/ShortText.h"
#include "catalogue/HipNames.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

/// Whether a parameter is an input: a value or a pointer to const. Results are
/// written through other pointers.
static bool isInput(QualType T) {
  if (const auto *Pointer = T->getAs<PointerType>())
    return Pointer->getPointeeType().isConstQualified();
  return T->isArithmeticType() || T->isRecordType();
}

/// Records host values that are inputs of GPU work: alpha of a library call, a
/// kernel's argument.
void Recorder::feeds(const SiteInfo &Info, const State &S) {
  const bool TakesValues = !Info.Row ||
                           Info.Row->Class == catalogue::CallClass::Other ||
                           Info.Row->Class == catalogue::CallClass::Launch;
  if (!TakesValues)
    return;
  for (const Expr *E : argumentsOf(Info.E))
    if (!E->isTypeDependent() && isInput(E->getType()))
      use(Values.dataOf(E, S), Use::Feeds, "",
          Info.Row ? Info.Row->Name.str() : "", Info.E);
}

/// The `p` of `*p`, for an access to an element of GPU memory through a
/// reference; otherwise null.
static const Expr *dereferencedBy(const SiteInfo &Info) {
  const Expr *Object = nullptr;
  if (Info.Row->Name == "thrust::device_reference::operator value_type")
    if (const auto *Call = llvm::dyn_cast<CXXMemberCallExpr>(Info.E))
      Object = Call->getImplicitObjectArgument();
  if (Info.Row->Name == "thrust::device_reference::operator=")
    Object = argumentsOf(Info.E).empty() ? nullptr : argumentsOf(Info.E)[0];
  const auto *Star = llvm::dyn_cast_or_null<CXXOperatorCallExpr>(
      Object ? Object->IgnoreUnlessSpelledInSource() : nullptr);
  return Star && Star->getOperator() == OO_Star && Star->getNumArgs() == 1
             ? Star->getArg(0)->IgnoreUnlessSpelledInSource()
             : nullptr;
}

/// See Site::Element.
std::string Recorder::elementOf(const SiteInfo &Info) const {
  const Expr *Found = dereferencedBy(Info);
  if (!Found)
    return "";
  const CXXRecordDecl *Class = Found->getType()->getAsCXXRecordDecl();
  // What the variable was initialized with, if it is never changed.
  if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(Found))
    if (const auto *V = llvm::dyn_cast<VarDecl>(Ref->getDecl());
        V && V->hasLocalStorage() && V->getInit() &&
        !BodyScopes.Terms->changes().isAssigned(V))
      Found = V->getInit()->IgnoreUnlessSpelledInSource();
  const auto *Call = llvm::dyn_cast<CallExpr>(Found);
  const FunctionDecl *Callee = Call ? Sites.calleeOf(Call) : nullptr;
  const catalogue::Row *Row =
      Callee ? Unit.TheNames.row(Callee, nullptr) : nullptr;
  if (Row && Row->Library == "thrust" &&
      Row->Class == catalogue::CallClass::Launch)
    return Row->Name.str();
  return Class && Class->getIdentifier() && Class->getName() == "device_ptr"
             ? "thrust::device_ptr"
             : "";
}

void Recorder::site(const SiteInfo &Info, const State &S) {
  Site &Dest = Out.Sites[Info.Number];
  event(Event::SiteReached, Info.Number, Info.E->getBeginLoc());
  feeds(Info, S);
  if (Dest.Location.Line)
    return; // A block may be in several places of the graph.
  Dest.Location = Unit.PlaceOf(Info.E->getBeginLoc());
  Dest.Whole = rangeOf(Info.E->getSourceRange());
  fillEdits(Info, Dest);
  Dest.Scope = scopeOf(Info.E);
  Dest.Expression = BodyScopes.Expressions.lookup(Info.E);
  Dest.Macro = macroAround(Info.E->getBeginLoc());
  switchedOn(Info.E->getBeginLoc(), Dest);
  if (Info.Row) {
    Dest.Row = Info.Row->Name.str();
    Dest.Callee = StringRef(Dest.Row).ends_with("*")
                      ? catalogueName(Info.Callee)
                      : Dest.Row;
    Dest.Facts = factsOf(*Info.Row, {Info.E, Info.Callee, Info.Use}, S, Values,
                         Unit.Context);
    fillArguments(Info, S, Dest);
    Dest.Element = elementOf(Info);
  } else {
    fillKernel(Info, S, Dest);
  }
}

void Recorder::fillKernel(const SiteInfo &Info, const State &S, Site &Dest) {
  const auto *Launch = llvm::cast<CUDAKernelCallExpr>(Info.E);
  Dest.Callee = Info.Callee ? Info.Callee->getNameAsString()
                            : shortText(Launch->getCallee()->getSourceRange(),
                                        Unit.Context);
  const CallExpr *Config = Launch->getConfig();
  if (Info.Callee)
    Dest.Kernel = Unit.TheNames.usr(pattern(Info.Callee));
  fillArguments(Info, S, Dest);
  if (!Config || Config->getNumArgs() < 4)
    return;
  for (unsigned I = 0; I < 3; ++I)
    use(Values.dataOf(Config->getArg(I), S), Use::Configures, "", Dest.Callee,
        Launch);
  fillStream(Config->getArg(3), S, Dest);
  if (!Dest.StreamVal.Unknown && !Dest.StreamVal.isNothing())
    Dest.Facts.push_back({catalogue::Fact::Stream, Dest.StreamVal});
}

static bool waitsForDevice(const SiteInfo &Info) {
  return Info.Row &&
         catalogue::cudaName(Info.Row->Name) == "cudaDeviceSynchronize";
}

/// See Site::ResultIn.
static std::string resultIn(const Expr *Call, const Stmt *Parent) {
  const VarDecl *V = nullptr;
  if (const auto *Declaration = llvm::dyn_cast_or_null<DeclStmt>(Parent))
    for (const Decl *D : Declaration->decls())
      if (const auto *Made = llvm::dyn_cast<VarDecl>(D);
          Made && Made->getInit() && Made->getInit()->IgnoreImplicit() == Call)
        V = Made;
  if (const auto *Op = llvm::dyn_cast_or_null<BinaryOperator>(Parent);
      Op && Op->getOpcode() == BO_Assign)
    V = variableOf(Op->getLHS());
  return V && V->hasLocalStorage() ? V->getNameAsString() : "";
}

void Recorder::fillEdits(const SiteInfo &Info, Site &Dest) const {
  if (!Info.Row || Info.Row->Class != catalogue::CallClass::Sync)
    return;
  Dest.ResultIn = resultIn(Info.E, BodyScopes.Parents.lookup(Info.E));
  Dest.Removal = removalOf(Info.E, BodyScopes, Unit.Context, Unit.PlaceOf);
}

void Recorder::fillStream(const Expr *E, const State &S, Site &Dest) {
  Dest.StreamVal = Values.valueOf(E, S);
  if (llvm::isa<CXXDefaultArgExpr>(E))
    return;
  Dest.Stream = shortText(E->getSourceRange(), Unit.Context);
  // This examines the whole body, so do it only if a rule may need it.
  if (llvm::any_of(Sites.all(), waitsForDevice))
    Dest.StreamSeen = visibilityOf(E, BodyScopes, Unit.Context, Unit.PlaceOf);
}

/// Handles a call that is written in a macro's definition, in a region of a
/// debug macro.
void Recorder::switchedOn(SourceLocation Loc, Site &Dest) const {
  if (!Loc.isMacroID())
    return;
  const SourceLocation Spelled =
      Unit.Context.getSourceManager().getSpellingLoc(Loc);
  if (const Conditionals::Region *R = Unit.Preprocessor.regionAround(
          Spelled, Unit.Context.getSourceManager())) {
    Dest.SwitchedOnBy = R->Macro;
    Dest.Written = Unit.PlaceOf(Spelled);
    Dest.WrittenIn =
        Lexer::getImmediateMacroName(Loc, Unit.Context.getSourceManager(),
                                     Unit.Context.getLangOpts())
            .str();
  }
}

static bool isStream(QualType T) {
  const QualType Pointee = T.getCanonicalType()->getPointeeType();
  const RecordDecl *Class =
      Pointee.isNull() ? nullptr : Pointee->getAsRecordDecl();
  return Class && Class->getIdentifier() &&
         (Class->getName() == "CUstream_st" ||
          Class->getName() == "ihipStream_t");
}

/// The USR of the function or lambda that an argument passes, or "".
std::string Recorder::functionIn(const Stmt *S) {
  if (!S)
    return "";
  if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(S)) {
    const auto *F = llvm::dyn_cast<FunctionDecl>(Ref->getDecl());
    return F ? Unit.TheNames.usr(F) : "";
  }
  if (const auto *Lambda = llvm::dyn_cast<LambdaExpr>(S))
    return Unit.TheNames.usr(Lambda->getCallOperator());
  if (llvm::isa<CallExpr>(S) && !llvm::isa<CXXMemberCallExpr>(S))
    return "";
  for (const Stmt *Child : S->children())
    if (std::string Found = functionIn(Child); !Found.empty())
      return Found;
  return "";
}

/// Whether a callee may write to what the argument points to.
static bool mayWrite(QualType T) {
  const auto *Pointer = T->getAs<PointerType>();
  return Pointer && !Pointer->getPointeeType().isConstQualified() &&
         !Pointer->getPointeeType().isVolatileQualified();
}

/// Whether objects of the class contain pointers or references, as functors
/// and lambdas with captures do.
static bool holdsPointers(const CXXRecordDecl *Class, unsigned Depth = 0) {
  Class = Class ? Class->getDefinition() : nullptr;
  if (!Class || Class->isDependentContext() || Depth > 8)
    return true;
  return llvm::any_of(
             Class->fields(),
             [&](const FieldDecl *Field) {
               const QualType T = Field->getType();
               return T->isPointerType() || T->isReferenceType() ||
                      (T->isRecordType() &&
                       holdsPointers(T->getAsCXXRecordDecl(), Depth + 1));
             }) ||
         llvm::any_of(Class->bases(), [&](const CXXBaseSpecifier &Base) {
           return holdsPointers(Base.getType()->getAsCXXRecordDecl(),
                                Depth + 1);
         });
}

/// An iterator of a device_vector.
static bool isDeviceIterator(QualType T, const CXXRecordDecl *Class) {
  const std::string Name = T.getCanonicalType().getAsString();
  return Class->getIdentifier() && Class->getName() == "normal_iterator" &&
         StringRef(Name).contains("device_ptr<") &&
         !StringRef(Name).contains("universal");
}

/// The memory that an argument leads to. A functor without pointers leads to
/// none, one with pointers to any.
static Value memoryOf(const Expr *E, const Evaluator &Values, const State &S) {
  const bool Tracked = Evaluator::isTracked(E->getType());
  const CXXRecordDecl *Class = E->getType()->isRecordType()
                                   ? E->getType()->getAsCXXRecordDecl()
                                   : nullptr;
  Value Result = Tracked ? Values.valueOf(E, S) : Value();
  if (!Class)
    return Result;
  if (isDeviceIterator(E->getType(), Class))
    return Value::fromMask(catalogue::values::Device);
  // It may be made from any pointer.
  if (Class->getIdentifier() && Class->getName() == "device_ptr")
    return Value::fromMask(catalogue::values::Device |
                           catalogue::values::Managed);
  if (Tracked && !Result.Unknown && !Result.isNothing())
    return Result;
  return holdsPointers(Class) ? Value::anything() : Value();
}

/// Whether it names a variable that kernels may change: not one in constant
/// memory.
static bool isDeviceVariable(const Expr *E) {
  const auto *Ref = llvm::dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
  const auto *V = Ref ? llvm::dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return V && V->hasAttr<CUDADeviceAttr>() && !V->hasAttr<CUDAConstantAttr>() &&
         !V->getType().isConstQualified();
}

static bool takesFunction(QualType T) {
  return T->isFunctionPointerType() || T->isFunctionType();
}

void Recorder::fillArguments(const SiteInfo &Info, const State &S, Site &Dest) {
  for (const Expr *E : argumentsOf(Info.E)) {
    Arg A;
    if (!llvm::isa<CXXDefaultArgExpr>(E)) {
      A.Text = shortText(E->getSourceRange(), Unit.Context);
      A.Extent = rangeOf(E->getSourceRange());
    }
    if (Info.Row && Info.Row->Library == "thrust" && Dest.Args.empty())
      if (const Expr *Policy = policyDefinition(E))
        A.Definition = shortText(Policy->getSourceRange(), Unit.Context);
    A.Number = BodyScopes.Terms->of(E);
    A.Val = memoryOf(E, Values, S);
    A.MayWrite = mayWrite(E->getType());
    A.IsDeviceVariable = isDeviceVariable(E);
    A.Cell = cellOf(E);
    if (takesFunction(E->getType()))
      A.Function = functionIn(E);
    if (isStream(E->getType()) && Dest.StreamVal.isNothing())
      fillStream(E, S, Dest);
    Dest.Args.push_back(std::move(A));
  }
}

} // namespace autoprof::audit
