// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/ast/Calls.h"

#include "source/ast/LibraryNames.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace autoprof::source {

//===-- Functions ---------------------------------------------------------===//

/// The function that a constant pointer always holds.
static const FunctionDecl *heldBy(const Expr *Callee) {
  const auto *Ref = llvm::dyn_cast<DeclRefExpr>(Callee);
  const auto *V = Ref ? llvm::dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (!V || !V->getType().isConstQualified() || !V->getAnyInitializer() ||
      llvm::isa<ParmVarDecl>(V))
    return nullptr;
  const Expr *Init = V->getAnyInitializer()->IgnoreParenCasts();
  if (const auto *AddressOf = llvm::dyn_cast<UnaryOperator>(Init))
    Init = AddressOf->getSubExpr()->IgnoreParenCasts();
  const auto *Held = llvm::dyn_cast<DeclRefExpr>(Init);
  return Held ? llvm::dyn_cast<FunctionDecl>(Held->getDecl()) : nullptr;
}

llvm::SmallVector<const FunctionDecl *, 1> callees(const CallExpr *Call) {
  if (const FunctionDecl *F = Call->getDirectCallee())
    return {F};
  llvm::SmallVector<const FunctionDecl *, 1> Result;
  const Expr *Callee = Call->getCallee()->IgnoreParenImpCasts();
  if (const FunctionDecl *F = heldBy(Callee))
    return {F};
  if (const auto *Overloads = llvm::dyn_cast<OverloadExpr>(Callee))
    for (const NamedDecl *D : Overloads->decls())
      if (const FunctionDecl *F = D->getUnderlyingDecl()->getAsFunction())
        Result.push_back(F);
  return Result;
}

SourceLocation placeOf(const CallExpr *Call) {
  const auto *Operator = llvm::dyn_cast<CXXOperatorCallExpr>(Call);
  if (Operator && Operator->getOperator() == OO_LessLess)
    return Operator->getOperatorLoc();
  const Expr *Callee = Call->getCallee()->IgnoreParenImpCasts();
  SourceLocation Name;
  if (const auto *Member = llvm::dyn_cast<MemberExpr>(Callee))
    Name = Member->getMemberLoc();
  else if (const auto *Later =
               llvm::dyn_cast<CXXDependentScopeMemberExpr>(Callee))
    Name = Later->getMemberLoc();
  return Name.isValid() ? Name : Call->getBeginLoc();
}

static bool isWork(const catalogue::Row &Row) {
  using catalogue::CallClass;
  return catalogue::mayWait(Row.Wait) || Row.Class == CallClass::Launch ||
         Row.Class == CallClass::Copy || Row.Class == CallClass::Set ||
         Row.Class == CallClass::Sync;
}

static bool isSite(const catalogue::Row *Row) {
  using catalogue::CallClass;
  return Row && (isWork(*Row) || Row->Class == CallClass::Alloc ||
                 Row->Class == CallClass::Free);
}

static std::optional<CataloguedCall> siteOf(const catalogue::Row *Row) {
  if (!isSite(Row))
    return std::nullopt;
  return CataloguedCall{catalogue::name(Row->Class), Row->Name.str(),
                        isWork(*Row)};
}

std::optional<CataloguedCall> catalogued(const FunctionDecl *F,
                                         const SourceManager &SM) {
  return siteOf(libraryRow(F, nullptr, SM));
}

static std::string kernelName(const Expr *Callee) {
  Callee = Callee->IgnoreParenImpCasts();
  if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(Callee))
    return Ref->getDecl()->getNameAsString();
  if (const auto *Overloads = llvm::dyn_cast<OverloadExpr>(Callee))
    return Overloads->getName().getAsString();
  if (const auto *Member = llvm::dyn_cast<MemberExpr>(Callee))
    return Member->getMemberDecl()->getNameAsString();
  if (const auto *Dependent = llvm::dyn_cast<DependentScopeDeclRefExpr>(Callee))
    return Dependent->getDeclName().getAsString();
  return "(kernel)"; // The kernel is computed at run time.
}

/// The object on which a method is called, as written: without the conversion
/// to the base class that has the method.
static const Expr *objectOf(const CallExpr *Call) {
  const Expr *Object = nullptr;
  if (const auto *Member = llvm::dyn_cast<CXXMemberCallExpr>(Call))
    Object = Member->getImplicitObjectArgument();
  else if (llvm::isa<CXXOperatorCallExpr>(Call) && Call->getNumArgs())
    Object = Call->getArg(0);
  return Object ? Object->IgnoreParenImpCasts() : nullptr;
}

static const CXXRecordDecl *classOfObject(const CallExpr *Call) {
  const Expr *Object = objectOf(Call);
  if (!Object)
    return nullptr;
  const QualType Type = Object->getType();
  return classOf(Type->isPointerType() ? Type->getPointeeType() : Type);
}

//===-- Elements of device vectors ----------------------------------------===//

// v[i] is a thrust::device_reference. Creating one costs nothing; reading or
// writing the element waits. The site is that use, and has the name that the
// user wrote: device_vector::operator[], front or back.

static bool isDeviceReference(QualType Type) {
  const CXXRecordDecl *Class = classOf(Type);
  return Class && Class->getIdentifier() &&
         Class->getName() == "device_reference" &&
         libraryName(Class) == "thrust::device_reference";
}

/// The reference that `Call` reads or writes, or null.
static const Expr *usedReference(const CallExpr *Call) {
  const auto *Operator = llvm::dyn_cast<CXXOperatorCallExpr>(Call);
  if (Operator && Operator->getOperator() == OO_LessLess &&
      Operator->getNumArgs() == 2 &&
      isDeviceReference(Operator->getArg(1)->IgnoreImplicit()->getType()))
    return Operator->getArg(1);
  const Expr *Object = objectOf(Call);
  if (!Object || !isDeviceReference(Object->getType()))
    return nullptr;
  const FunctionDecl *F = Call->getDirectCallee();
  return F && (llvm::isa<CXXConversionDecl>(F) ||
               (Operator && Operator->getOperator() != OO_Amp))
             ? Object
             : nullptr;
}

static const catalogue::Row *elementRow(const Expr *Reference,
                                        const SourceManager &SM) {
  Reference = Reference->IgnoreImplicit()->IgnoreParens();
  if (const auto *Made = llvm::dyn_cast<CallExpr>(Reference))
    if (const FunctionDecl *F = Made->getDirectCallee())
      if (const auto *Row = libraryRow(F, classOfObject(Made), SM))
        return Row;
  return libraryRow(classOf(Reference->getType()), "operator value_type", SM);
}

//===-- Calls -------------------------------------------------------------===//

/// Thrust's algorithms run on the CPU unless a policy or an iterator implies
/// otherwise.
static bool runsOnGpu(const CallExpr *Call, const catalogue::Row *Row,
                      const FunctionDecl *F) {
  return !Row || Row->Library != "thrust" || llvm::isa<CXXMethodDecl>(F) ||
         llvm::any_of(Call->arguments(), [](const Expr *Argument) {
           return mayBeOnDevice(Argument->IgnoreImplicit()->getType());
         });
}

/// The row of a method of a class whose template arguments are not known yet.
static const catalogue::Row *dependentRow(const CallExpr *Call,
                                          const SourceManager &SM) {
  const auto *Member = llvm::dyn_cast<CXXDependentScopeMemberExpr>(
      Call->getCallee()->IgnoreParenImpCasts());
  const IdentifierInfo *Name =
      Member ? Member->getMember().getAsIdentifierInfo() : nullptr;
  if (!Name)
    return nullptr;
  QualType Type = Member->getBaseType();
  if (Member->isArrow())
    Type = Type->getPointeeType();
  const CXXRecordDecl *Class = classOf(Type);
  return Class ? libraryRow(Class, Name->getName(), SM) : nullptr;
}

std::optional<CataloguedCall> catalogued(const CallExpr *Call,
                                         const SourceManager &SM) {
  if (const auto *Launch = llvm::dyn_cast<CUDAKernelCallExpr>(Call))
    return CataloguedCall{catalogue::name(catalogue::CallClass::Launch),
                          kernelName(Launch->getCallee())};
  if (const Expr *Reference = usedReference(Call))
    return siteOf(elementRow(Reference, SM));
  if (Call->isPRValue() && isDeviceReference(Call->getType()))
    return std::nullopt; // The use of the reference is the site.
  const CXXRecordDecl *Object = classOfObject(Call);
  for (const FunctionDecl *F : callees(Call)) {
    const catalogue::Row *Row = libraryRow(F, Object, SM);
    if (isSite(Row) && runsOnGpu(Call, Row, F))
      return siteOf(Row);
  }
  return siteOf(dependentRow(Call, SM));
}

//===-- Objects -----------------------------------------------------------===//

bool isMadeOnHost(const catalogue::Row &Row,
                  llvm::ArrayRef<const Expr *> Arguments) {
  return Row.Name == "thrust::host_vector::host_vector" &&
         llvm::none_of(Arguments, [](const Expr *Argument) {
           const QualType Type = Argument->IgnoreImplicit()->getType();
           if (!Type->isDependentType())
             return mayBeOnDevice(Type);
           const CXXRecordDecl *Class = classOf(Type);
           return Class && Class->getIdentifier() &&
                  Class->getName() == "device_vector";
         });
}

std::optional<CataloguedCall> catalogued(const CXXConstructExpr *Construct,
                                         const SourceManager &SM) {
  const CXXConstructorDecl *C = Construct->getConstructor();
  if (Construct->isElidable() || C->isMoveConstructor() ||
      Construct->getNumArgs() == 0 ||
      llvm::isa<CXXDefaultArgExpr>(Construct->getArg(0)))
    return std::nullopt;
  const catalogue::Row *Row = libraryRow(C, nullptr, SM);
  // A copy of a View refers to the same memory.
  if (Row && Row->Library == "kokkos" && C->isCopyConstructor())
    return std::nullopt;
  if (Row &&
      isMadeOnHost(*Row, {Construct->getArgs(), Construct->getNumArgs()}))
    return std::nullopt;
  return siteOf(Row);
}

const Expr *unresolvedConstruction(const Stmt *S) {
  if (const auto *Construct = llvm::dyn_cast<CXXUnresolvedConstructExpr>(S))
    return Construct;
  const auto *Cast = llvm::dyn_cast<CXXFunctionalCastExpr>(S);
  return Cast && Cast->getCastKind() == CK_Dependent ? Cast : nullptr;
}

/// Whether it is a container of std that destroys objects of its template
/// arguments.
static bool ownsItsArguments(const CXXRecordDecl *Class) {
  return Class->isInStdNamespace() && Class->getIdentifier() &&
         llvm::is_contained({"vector", "deque", "list", "array", "map",
                             "unordered_map", "pair", "tuple", "optional",
                             "variant", "unique_ptr", "shared_ptr"},
                            Class->getName());
}

namespace {
class DestructorSearch {
  const SourceManager &SM;
  llvm::SmallPtrSet<const CXXRecordDecl *, 8> Seen;

public:
  explicit DestructorSearch(const SourceManager &SM) : SM(SM) {}

  const catalogue::Row *find(QualType Type) {
    if (const ArrayType *Array =
            Type.isNull() ? nullptr : Type->getAsArrayTypeUnsafe())
      return find(Array->getElementType());
    if (Type.isNull() || Type->isReferenceType())
      return nullptr;
    const CXXRecordDecl *Class = classOf(Type);
    if (!Class || !Class->getIdentifier() || !Seen.insert(Class).second)
      return nullptr;
    if (const catalogue::Row *Row =
            libraryRow(Class, "~" + Class->getName().str(), SM))
      return Row;
    if (ownsItsArguments(Class))
      return inArguments(Class);
    const CXXRecordDecl *Definition = Class->getDefinition();
    if (!Definition ||
        SM.isInSystemHeader(SM.getExpansionLoc(Definition->getLocation())))
      return nullptr;
    return inParts(Definition);
  }

private:
  const catalogue::Row *inArguments(const CXXRecordDecl *Class) {
    if (const auto *S = llvm::dyn_cast<ClassTemplateSpecializationDecl>(Class))
      for (const TemplateArgument &Arg : S->getTemplateArgs().asArray())
        if (Arg.getKind() == TemplateArgument::Type)
          if (const catalogue::Row *Row = find(Arg.getAsType()))
            return Row;
    return nullptr;
  }

  const catalogue::Row *inParts(const CXXRecordDecl *Class) {
    for (const CXXBaseSpecifier &Base : Class->bases())
      if (const catalogue::Row *Row = find(Base.getType()))
        return Row;
    for (const FieldDecl *Field : Class->fields())
      if (const catalogue::Row *Row = find(Field->getType()))
        return Row;
    return nullptr;
  }
};
} // namespace

std::optional<CataloguedCall> cataloguedDestructor(QualType Type,
                                                   const SourceManager &SM) {
  return siteOf(DestructorSearch(SM).find(Type));
}

} // namespace autoprof::source
