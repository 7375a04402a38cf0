// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/State.h"

#include "audit/extract/Effects.h"
#include "audit/extract/Tensors.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/Stack.h"
#include "clang/Lex/Lexer.h"

#include <climits>

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

using namespace catalogue::values;

//===-- Cells of expressions ----------------------------------------------===//

std::optional<CellKey> Evaluator::cellOf(const Expr *E) const {
  E = strip(E);
  auto Deeper = [this](const Expr *Base, int Levels) -> std::optional<CellKey> {
    std::optional<CellKey> C = cellOf(Base);
    if (C)
      C->Depth += Levels;
    return C;
  };
  if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(E)) {
    const auto *V = llvm::dyn_cast<VarDecl>(Ref->getDecl());
    return V ? std::optional(CellKey{V, nullptr, 0}) : std::nullopt;
  }
  if (const auto *Member = llvm::dyn_cast<MemberExpr>(E)) {
    const auto *Field = llvm::dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (!Field)
      return std::nullopt;
    std::optional<CellKey> Base = cellOf(Member->getBase());
    return CellKey{Base ? Base->Base : nullptr, Field, 0};
  }
  if (const auto *Index = llvm::dyn_cast<ArraySubscriptExpr>(E))
    return Deeper(Index->getBase(), 1);
  if (const auto *Op = llvm::dyn_cast<UnaryOperator>(E)) {
    if (Op->getOpcode() == UO_Deref)
      return Deeper(Op->getSubExpr(), 1);
    if (Op->getOpcode() == UO_AddrOf)
      return Deeper(Op->getSubExpr(), -1);
    return Op->isIncrementDecrementOp() ? cellOf(Op->getSubExpr())
                                        : std::nullopt;
  }
  if (const auto *Op = llvm::dyn_cast<BinaryOperator>(E);
      Op && Op->isAdditiveOp() && Op->getType()->isPointerType())
    return cellOf(Op->getLHS()->getType()->isPointerType() ||
                          Op->getLHS()->getType()->isArrayType()
                      ? Op->getLHS()
                      : Op->getRHS());
  if (const auto *Call = llvm::dyn_cast<CallExpr>(E)) {
    if (const Expr *Owner = ownerOf(Call))
      return cellOf(Owner);
    if (const Expr *Container = containerOf(Call))
      return Deeper(Container, 1);
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (Callee && TheNames.isSystem(Callee))
      if (auto Change = effectOf(catalogueName(Callee), Call, Context);
          Change && Change->Class == Effect::Passes &&
          Change->Parameter < Call->getNumArgs())
        return cellOf(Call->getArg(Change->Parameter));
  }
  return std::nullopt;
}

//===-- Types -------------------------------------------------------------===//

static const CXXRecordDecl *recordOf(QualType T) {
  return T.getNonReferenceType()->getAsCXXRecordDecl();
}

static bool isDeviceAddress(QualType T) {
  for (const auto *Alias = T->getAs<TypedefType>(); Alias;
       Alias = Alias->desugar()->getAs<TypedefType>())
    if (Alias->getDecl()->getName().starts_with("CUdeviceptr") ||
        Alias->getDecl()->getName() == "hipDeviceptr_t")
      return true;
  return false;
}

static bool isCopyKind(QualType T) {
  const auto *Enum = T.getCanonicalType()->getAs<EnumType>();
  return Enum && (Enum->getDecl()->getName() == "cudaMemcpyKind" ||
                  Enum->getDecl()->getName() == "hipMemcpyKind");
}

bool Evaluator::isTracked(QualType T) {
  if (T.isNull())
    return false;
  T = T.getNonReferenceType();
  if (T->isPointerType() || T->isArrayType() || isDeviceAddress(T) ||
      T->isNullPtrType() || isCopyKind(T) || hasTensorDevice(T))
    return true;
  const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
  return Class && (Class->isInStdNamespace() ||
                   StringRef(qualifiedName(Class)).starts_with("thrust::"));
}

static bool hasStandardAllocator(const CXXRecordDecl *Class) {
  const auto *Template = llvm::dyn_cast<ClassTemplateSpecializationDecl>(Class);
  if (!Template || Template->getTemplateArgs().size() < 2)
    return true;
  const TemplateArgument &A = Template->getTemplateArgs()[1];
  const CXXRecordDecl *Allocator =
      A.getKind() == TemplateArgument::Type ? recordOf(A.getAsType()) : nullptr;
  return Allocator && Allocator->isInStdNamespace();
}

/// For a container of type `T`: the memory of its elements; nothing for other
/// types.
Value Evaluator::ofType(QualType T, SourceLocation Loc) const {
  if (isDeviceAddress(T))
    return Value::fromMask(Device | Pool | Managed);
  const CXXRecordDecl *Class = recordOf(T);
  if (!Class)
    return {};
  const std::string Name = qualifiedName(Class);
  auto Kind = [&](uint32_t Mask) { return madeAt(Loc, Mask); };
  if (Name == "std::vector" || Name == "std::valarray" ||
      Name == "thrust::host_vector") {
    if (hasStandardAllocator(Class))
      return Kind(Pageable);
    const std::string Full = T.getCanonicalType().getAsString();
    if (StringRef(Full).contains_insensitive("pinned"))
      return Kind(Pinned);
    return Value::anything();
  }
  if (Name == "std::array" || Name == "std::string" ||
      Name == "std::basic_string")
    return Kind(Pageable);
  if (Name == "thrust::device_vector" || Name == "thrust::device_ptr")
    return Kind(Device);
  if (Name == "thrust::universal_vector")
    return Kind(Managed);
  return {};
}

/// Whether the variable is declared with `__managed__`. Clang ignores the
/// attribute in CUDA, so only the text shows it.
static bool isManaged(const VarDecl *V, const ASTContext &Context) {
  if (V->hasAttr<HIPManagedAttr>())
    return true;
  if (!Context.getLangOpts().CUDA || !V->hasGlobalStorage())
    return false;
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Begin = SM.getExpansionLoc(V->getBeginLoc()),
                       End = SM.getExpansionLoc(V->getLocation());
  return Lexer::getSourceText(CharSourceRange::getCharRange(Begin, End), SM,
                              Context.getLangOpts())
      .contains("__managed__");
}

Value Evaluator::madeAt(SourceLocation Loc, uint32_t Mask) const {
  Value Result = Value::fromMask(Mask);
  Result.Location = PlaceOf(Loc);
  return Result;
}

Value Evaluator::storageOf(const VarDecl *V) const {
  const bool IsOnDevice = V->hasAttr<CUDADeviceAttr>() ||
                          V->hasAttr<CUDAConstantAttr>() ||
                          V->hasAttr<CUDASharedAttr>();
  return madeAt(V->getLocation(), isManaged(V, Context) ? Managed
                                  : IsOnDevice          ? Device
                                                        : Pageable);
}

//===-- Cells -------------------------------------------------------------===//

std::string Evaluator::slot(const CellKey &C) const {
  if (C.Depth < 0)
    return "";
  std::string Stars(C.Depth, '*');
  if (C.Field)
    return TheNames.field(C.Field) + Stars;
  if (!C.Base)
    return "";
  if (int I = paramIndex(C.Base, F); I >= 0)
    return TheNames.param(F, I) + Stars;
  return C.Base->hasGlobalStorage() ? TheNames.global(C.Base) + Stars : "";
}

Value Evaluator::initial(const CellKey &C) const {
  if (C.Depth < 0)
    return C.Field || !C.Base ? Value::anything() : storageOf(C.Base);
  if (C.Depth == 0) {
    const ValueDecl *D =
        C.Field ? static_cast<const ValueDecl *>(C.Field) : C.Base;
    if (!D)
      return Value::anything();
    if (D->getType()->isArrayType() && !C.Field &&
        !llvm::isa<ParmVarDecl>(C.Base))
      return storageOf(C.Base);
    if (D->getType()->isArrayType() && C.Field)
      return Value::fromMask(Pageable); // See valueOf(MemberExpr).
    if (Value Typed = ofType(D->getType(), D->getLocation());
        !Typed.isNothing())
      return Typed;
  }
  if (std::string Slot = slot(C); !Slot.empty())
    return Value::fromSlot(Slot);
  // In a lambda: a variable of the enclosing function.
  if (C.Base && C.Base->isLocalVarDeclOrParm() &&
      C.Base->getDeclContext() != F &&
      !llvm::isa<BlockDecl>(C.Base->getDeclContext()) &&
      C.Base->getParentFunctionOrMethod() != llvm::cast<DeclContext>(F))
    return Value::anything();
  return {};
}

Value Evaluator::valueOf(const CellKey &C, const State &S) const {
  const Value *Known = S.value(C);
  return Known ? *Known : initial(C);
}

//===-- Values ------------------------------------------------------------===//

/// The value of `&Object`.
Value Evaluator::addressOf(const Expr *Object, const State &S) const {
  Object = strip(Object);
  if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(Object)) {
    const auto *V = llvm::dyn_cast<VarDecl>(Ref->getDecl());
    if (!V)
      return Value::anything();
    if (V->getType()->isReferenceType())
      return Value::anything();
    return storageOf(V);
  }
  if (const auto *Index = llvm::dyn_cast<ArraySubscriptExpr>(Object))
    return valueOf(Index->getBase(), S);
  if (const auto *Op = llvm::dyn_cast<UnaryOperator>(Object);
      Op && Op->getOpcode() == UO_Deref)
    return valueOf(Op->getSubExpr(), S);
  if (const auto *Member = llvm::dyn_cast<MemberExpr>(Object)) {
    if (!llvm::isa<FieldDecl>(Member->getMemberDecl()))
      return Value::anything();
    const Expr *Base = Member->getBase();
    if (llvm::isa<CXXThisExpr>(strip(Base))) {
      // Objects are on the host, mostly in pageable memory, but their class may
      // allocate them in managed memory.
      return Value::anything();
    }
    return Member->isArrow() ? valueOf(Base, S) : addressOf(Base, S);
  }
  if (const auto *Call = llvm::dyn_cast<CallExpr>(Object))
    if (const Expr *Container = containerOf(Call))
      return valueOf(Container, S);
  return Value::anything();
}

Value Evaluator::valueOfCall(const CallExpr *Call, const State &S) const {
  if (const Expr *Owner = ownerOf(Call))
    return valueOf(Owner, S);
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee)
    return Value::anything();
  if (!TheNames.isSystem(Callee))
    return Value::fromSlot(TheNames.result(Callee));
  const std::string Name = catalogueName(Callee);
  if (auto Change = effectOf(Name, Call, Context)) {
    if (Change->Class == Effect::Passes &&
        Change->Parameter < Call->getNumArgs())
      return valueOf(Call->getArg(Change->Parameter), S);
    if (Change->Class == Effect::Returns)
      return madeAt(Call->getBeginLoc(), Change->Mask);
  }
  if (Name == "std::make_unique" || Name == "std::make_shared")
    return madeAt(Call->getBeginLoc(), Pageable);
  if (containerOf(Call))
    if (std::optional<CellKey> C = cellOf(Call))
      return valueOf(*C, S);
  return Value::anything();
}

Value Evaluator::valueOfConstruction(const CXXConstructExpr *E,
                                     const State &S) const {
  if (Value Typed = ofType(E->getType(), E->getBeginLoc()); !Typed.isNothing())
    return Typed;
  if (!E->getNumArgs() || llvm::isa<CXXDefaultArgExpr>(E->getArg(0)))
    return {};
  // Owners of memory: a unique_ptr has the kind of the pointer that it is
  // given.
  return isTracked(E->getArg(0)->getType()) ? valueOf(E->getArg(0), S)
                                            : Value::anything();
}

Value Evaluator::valueOf(const Expr *E, const State &S) const {
  if (E->getType().isNull()) // In a template, an initializer list.
    return strip(E) == E ? Value::anything() : valueOf(strip(E), S);
  // `0`, `nullptr` and `(cudaStream_t)1` are streams, too.
  if (E->isTypeDependent())
    return cellOf(E) ? valueOf(*cellOf(E), S) : Value::anything();
  if (isCopyKind(E->getType()))
    if (std::optional<int64_t> Kind = constant(E, Context)) {
      const uint32_t Direction = directionOf(*Kind);
      return Direction ? Value::fromMask(Direction) : Value::anything();
    }
  const Expr *Inner = strip(E);
  if (hasTensorDevice(E->getType()))
    if (std::optional<Value> V = tensorDevice(
            Inner, Context, [&](const Expr *From) { return valueOf(From, S); }))
      return *V;
  if (llvm::isa<CXXNullPtrLiteralExpr, GNUNullExpr>(Inner))
    return Value::fromMask(Null);
  if (llvm::isa<IntegerLiteral>(Inner)) {
    const auto N = llvm::cast<IntegerLiteral>(Inner)->getValue();
    if (N == 0)
      return Value::fromMask(Null);
    return N == 1   ? Value::fromMask(Legacy)
           : N == 2 ? Value::fromMask(PerThread)
                    : Value::anything();
  }
  if (llvm::isa<StringLiteral>(Inner))
    return madeAt(Inner->getBeginLoc(), Pageable);
  if (const auto *Op = llvm::dyn_cast<UnaryOperator>(Inner);
      Op && Op->getOpcode() == UO_AddrOf)
    return addressOf(Op->getSubExpr(), S);
  if (const auto *Op = llvm::dyn_cast<BinaryOperator>(Inner)) {
    if (Op->isAdditiveOp())
      return valueOf(Op->getLHS()->getType()->isAnyPointerType() ||
                             !Op->getRHS()->getType()->isAnyPointerType()
                         ? Op->getLHS()
                         : Op->getRHS(),
                     S);
    if (Op->isAssignmentOp() || Op->isCommaOp())
      return valueOf(Op->getRHS(), S);
  }
  if (const auto *Op = llvm::dyn_cast<ConditionalOperator>(Inner))
    return audit::join(valueOf(Op->getTrueExpr(), S),
                       valueOf(Op->getFalseExpr(), S));
  if (llvm::isa<CXXNewExpr>(Inner)) {
    const auto *New = llvm::cast<CXXNewExpr>(Inner);
    if (New->getNumPlacementArgs())
      return valueOf(New->getPlacementArg(0), S);
    if (New->getOperatorNew() && !TheNames.isSystem(New->getOperatorNew()) &&
        !New->getOperatorNew()->isImplicit())
      return Value::fromSlot(TheNames.result(New->getOperatorNew()));
    return madeAt(New->getBeginLoc(), Pageable);
  }
  if (const auto *Member = llvm::dyn_cast<MemberExpr>(Inner);
      Member && Member->getType()->isArrayType())
    return addressOf(Member, S);
  // A row of an array of arrays.
  if (const auto *Index = llvm::dyn_cast<ArraySubscriptExpr>(Inner);
      Index && Index->getType()->isArrayType())
    return valueOf(Index->getBase(), S);
  if (const auto *Construct = llvm::dyn_cast<CXXConstructExpr>(Inner))
    return valueOfConstruction(Construct, S);
  if (const auto *Call = llvm::dyn_cast<CallExpr>(Inner))
    return valueOfCall(Call, S);
  if (std::optional<CellKey> C = cellOf(Inner))
    return valueOf(*C, S);
  return Value::anything();
}

//===-- Data --------------------------------------------------------------===//

std::string withCall(StringRef Slot, unsigned Call) {
  return (Slot + "\n" + llvm::Twine(Call)).str();
}

std::pair<StringRef, unsigned> splitCall(StringRef Source) {
  const auto [Slot, Number] = Source.split('\n');
  unsigned Call = 0;
  if (Number.getAsInteger(10, Call))
    Call = 0;
  return {Slot, Call};
}

/// Whether the call asks how many elements a container has, which does not
/// depend on their values.
static bool asksForSize(const CallExpr *Call) {
  const auto *Member = llvm::dyn_cast<CXXMemberCallExpr>(Call);
  const CXXMethodDecl *Method = Member ? Member->getMethodDecl() : nullptr;
  return Method && Method->getIdentifier() && Call->getNumArgs() == 0 &&
         llvm::is_contained({"size", "empty", "capacity", "length"},
                            Method->getName());
}

void Evaluator::addData(const Stmt *S, const State &Known, Sources &Out) const {
  if (!S || llvm::isa<UnaryExprOrTypeTraitExpr, LambdaExpr>(S))
    return;
  auto AddCell = [&](const CellKey &C) {
    if (const Sources *Held = Known.data(C.atDepth(0)))
      Out.insert(*Held);
    else if (std::string Slot = slot(C.atDepth(0)); !Slot.empty())
      Out.insert(Slot);
  };
  if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(S)) {
    if (const auto *V = llvm::dyn_cast<VarDecl>(Ref->getDecl())) {
      AddCell({V, nullptr, 0});
      // Data of its fields is data of the whole.
      Out.insert(Known.dataOfFields(V));
    }
    return;
  }
  if (const auto *Member = llvm::dyn_cast<MemberExpr>(S))
    if (llvm::isa<FieldDecl>(Member->getMemberDecl())) {
      AddCell(*cellOf(Member));
      return;
    }
  if (const auto *Call = llvm::dyn_cast<CallExpr>(S)) {
    if (const int Site = SiteOf ? SiteOf(Call) : -1; Site >= 0)
      Out.insert("S:" + std::to_string(Site));
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (Callee && !TheNames.isSystem(Callee)) {
      Out.insert(withCall(TheNames.result(Callee), callNumber(Call)));
      return;
    }
    if (Callee && TheNames.row(Callee, objectClass(Call)))
      return; // Its arguments are not its result.
    if (asksForSize(Call))
      return;
  }
  for (const Stmt *Child : S->children())
    runWithSufficientStackSpace([] {}, [&] { addData(Child, Known, Out); });
}

Sources Evaluator::dataOf(const Expr *E, const State &S) const {
  Sources Result;
  addData(E, S, Result);
  return Result;
}

Sources State::dataOfFields(const VarDecl *V) const {
  Sources Result;
  FieldData.forEachFrom({V, nullptr, INT_MIN},
                        [&](const CellKey &C, const Sources &D) {
                          if (C.Base == V)
                            Result.insert(D);
                          return C.Base == V;
                        });
  return Result;
}

void State::forgetFields(llvm::function_ref<bool(const CellKey &)> Keep) {
  FieldValues = {};
  PersistentMap<CellKey, Sources> Kept;
  FieldData.forEach([&](const CellKey &C, const Sources &D) {
    if (Keep(C))
      Kept.set(C, D);
  });
  FieldData = std::move(Kept);
}

bool State::join(const State &O,
                 llvm::function_ref<Value(const CellKey &)> Initial) {
  if (!Reached) {
    *this = O;
    return O.Reached;
  }
  const State Before = *this;
  auto Either = [&](const CellKey &C, const Value *A, const Value *B) {
    return audit::join(A ? *A : Initial(C), B ? *B : Initial(C));
  };
  auto IsSame = [](const Value &A, const Value &B) { return A == B; };
  Values.merge<true>(O.Values, Either, IsSame);
  FieldValues.merge<true>(O.FieldValues, Either, IsSame);
  auto All = [](const CellKey &, const Sources *A, const Sources *B) {
    Sources Result = *A;
    Result.insert(*B);
    return Result;
  };
  auto Same = [](const Sources &A, const Sources &B) { return A.isSame(B); };
  Data.merge<false>(O.Data, All, Same);
  FieldData.merge<false>(O.FieldData, All, Same);
  return !Before.Values.isSame(Values) || !Before.Data.isSame(Data) ||
         !Before.FieldValues.isSame(FieldValues) ||
         !Before.FieldData.isSame(FieldData);
}

} // namespace autoprof::audit
