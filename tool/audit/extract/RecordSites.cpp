// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records sites: their arguments, facts and streams.
#include "audit/extract/Effects.h"
#include "audit/extract/Recorder.h"
#include "audit/extract/Syntax.h"

#include "clang/AST/ExprCXX.h"

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

void Recorder::site(const SiteInfo &Info, const State &S) {
  Site &Dest = Out.Sites[Info.Number];
  event(Event::SiteReached, Info.Number, Info.E->getBeginLoc());
  feeds(Info, S);
  if (Dest.Location.Line)
    return; // A block may be in several places of the graph.
  Dest.Location = Unit.PlaceOf(Info.E->getBeginLoc());
  Dest.IsStatement =
      llvm::isa_and_nonnull<CompoundStmt>(BodyScopes.Parents.lookup(Info.E));
  Dest.Scope = scopeOf(Info.E);
  if (Info.Row) {
    Dest.Row = Info.Row->Name.str();
    Dest.Callee = StringRef(Dest.Row).ends_with("*")
                      ? catalogueName(Info.Callee)
                      : Dest.Row;
    Dest.Facts = factsOf(*Info.Row, {Info.E, Info.Callee, Info.Use}, S, Values,
                         Unit.Context);
    fillArguments(Info, S, Dest);
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

void Recorder::fillStream(const Expr *E, const State &S, Site &Dest) {
  Dest.StreamVal = Values.valueOf(E, S);
  if (!llvm::isa<CXXDefaultArgExpr>(E))
    Dest.Stream = shortText(E->getSourceRange(), Unit.Context);
  Dest.StreamOf = holderOf(E);
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

void Recorder::fillArguments(const SiteInfo &Info, const State &S, Site &Dest) {
  for (const Expr *E : argumentsOf(Info.E)) {
    Arg A;
    if (!llvm::isa<CXXDefaultArgExpr>(E))
      A.Text = shortText(E->getSourceRange(), Unit.Context);
    A.Number = BodyScopes.Terms->of(E);
    A.Val = memoryOf(E, Values, S);
    A.MayWrite = mayWrite(E->getType());
    A.Cell = cellOf(E);
    if (isEvent(E->getType()))
      A.Of = holderOf(E);
    if (isStream(E->getType()) && Dest.StreamVal.isNothing())
      fillStream(E, S, Dest);
    Dest.Args.push_back(std::move(A));
  }
}

} // namespace autoprof::audit
