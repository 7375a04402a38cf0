// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/ArgumentFacts.h"

#include "audit/extract/Effects.h"
#include "audit/extract/Tensors.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::Fact;

llvm::ArrayRef<const Expr *> argumentsOf(const Expr *E) {
  if (const auto *Call = llvm::dyn_cast<CallExpr>(E))
    return {Call->getArgs(), Call->getNumArgs()};
  if (const auto *Construct = llvm::dyn_cast<CXXConstructExpr>(E))
    return {Construct->getArgs(), Construct->getNumArgs()};
  return {};
}

llvm::ArrayRef<const Expr *> methodArguments(const Expr *Call,
                                             const FunctionDecl *Callee) {
  llvm::ArrayRef<const Expr *> Args = argumentsOf(Call);
  const auto *Method = llvm::dyn_cast<CXXMethodDecl>(Callee);
  if (llvm::isa<CXXOperatorCallExpr>(Call) && Method && !Method->isStatic() &&
      !Args.empty())
    return Args.drop_front();
  return Args;
}

const Expr *argumentNamed(const CallInContext &Call, StringRef Name) {
  llvm::ArrayRef<const Expr *> Args = argumentsOf(Call.E);
  for (unsigned I = 0; I < Call.Callee->getNumParams() && I < Args.size(); ++I)
    if (Call.Callee->getParamDecl(I)->getName() == Name)
      return Args[I];
  return nullptr;
}

namespace {

std::string typeText(const Expr *E) {
  return E->getType().getCanonicalType().getAsString();
}

/// The memory of an iterator's elements, determined from its type.
uint32_t iteratorMemory(const Expr *E) {
  const std::string Type = typeText(E);
  StringRef T = Type;
  if (T.contains("device_ptr") || T.contains("cuda_cub") ||
      T.contains("cuda_cub::tag") || T.contains("universal_"))
    return Device;
  if (E->getType()->isPointerType() || T.contains("__normal_iterator") ||
      T.contains("normal_iterator<"))
    return Pageable;
  return 0;
}

/// Thrust's policy: that of the first argument, or without one that of the
/// iterators.
uint32_t policyOf(llvm::ArrayRef<const Expr *> Args) {
  if (Args.empty())
    return 0;
  const std::string Type = typeText(Args[0]);
  StringRef T = Type;
  if (T.contains("nosync"))
    return NoSyncPolicy;
  if (T.contains("cuda_cub::par_t") ||
      T.contains("cuda_cub::execute_on_stream") || T.contains("device_t") ||
      T.contains("cuda_cub::execute_with_allocator"))
    return SyncPolicy;
  if (T.contains("host_t") || T.contains("::seq_t") || T.contains("::omp::") ||
      T.contains("::tbb::") || T.contains("::cpp::"))
    return HostPolicy;
  bool Host = false;
  for (const Expr *Arg : Args) {
    const uint32_t Memory = iteratorMemory(Arg);
    if (Memory == Device)
      return SyncPolicy;
    Host |= Memory == Pageable;
  }
  return Host ? HostPolicy : 0;
}

/// `par.on(stream)`, or null.
const CXXMemberCallExpr *onStream(const Expr *Policy) {
  const Expr *E = Policy->IgnoreUnlessSpelledInSource()->IgnoreParens();
  const auto *Call = llvm::dyn_cast<CXXMemberCallExpr>(E);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  return Method && Method->getIdentifier() && Method->getName() == "on" &&
                 Call->getNumArgs() == 1
             ? Call
             : nullptr;
}

/// Whether the policy contains a stream, or something that is not analyzed.
bool holdsMore(const Expr *Policy) {
  const std::string Type = typeText(Policy);
  return StringRef(Type).contains("execute_on_stream") ||
         StringRef(Type).contains("execute_with_allocator");
}

uint32_t directionOfIterators(llvm::ArrayRef<const Expr *> Args) {
  size_t First =
      !Args.empty() && policyOf(Args.take_front(1)) && !iteratorMemory(Args[0])
          ? 1
          : 0;
  if (Args.size() < First + 3)
    return 0;
  const uint32_t From = iteratorMemory(Args[First]),
                 To = iteratorMemory(Args.back());
  if (!From || !To)
    return 0;
  if (From == Device)
    return To == Device ? DtoD : DtoH;
  return To == Device ? HtoD : HtoH;
}

uint32_t constructionOf(const Expr *E) {
  const auto *Construct = llvm::dyn_cast<CXXConstructExpr>(E);
  if (!Construct)
    return 0;
  if (Construct->getConstructor()->isDefaultConstructor() ||
      Construct->getConstructor()->isMoveConstructor())
    return Empty;
  unsigned Written = 0;
  for (const Expr *Arg : argumentsOf(E))
    Written += !llvm::isa<CXXDefaultArgExpr>(Arg);
  return Written ? Filled : Empty;
}

/// Unknown for a move assignment, because the vector's former memory may be
/// freed.
uint32_t assignmentOf(const FunctionDecl *Operator) {
  const auto *Method = llvm::dyn_cast<CXXMethodDecl>(Operator);
  return Method && !Method->isMoveAssignmentOperator() ? Filled : 0;
}

/// FromDevice or FromHost for the name of a container, or 0.
uint32_t sideOf(const CXXRecordDecl *Class) {
  if (!Class || !Class->getIdentifier())
    return 0;
  const StringRef Name = Class->getName();
  const bool IsOfStd = Class->isInStdNamespace();
  if (Name == "device_vector" && !IsOfStd)
    return FromDevice;
  return Name == "host_vector" ||
                 (IsOfStd && (Name == "vector" || Name == "initializer_list"))
             ? FromHost
             : 0;
}

/// The side of a class, or of the one that it is derived from.
uint32_t sideOfAny(const CXXRecordDecl *Class) {
  uint32_t Result = sideOf(Class);
  if (!Result && Class && Class->hasDefinition())
    Class->forallBases([&](const CXXRecordDecl *Base) {
      Result |= sideOf(Base);
      return true;
    });
  return Result;
}

/// Where the elements come from that a host_vector is made from or assigned.
/// The first parameter shows it, or, if that is the base of all Thrust vectors
/// or an iterator, the argument.
uint32_t sourceOf(const Expr *E, const FunctionDecl *Callee) {
  llvm::ArrayRef<const Expr *> Args = argumentsOf(E);
  const bool IsAssignment = !llvm::isa<CXXConstructExpr>(E);
  if (Args.size() < (IsAssignment ? 2 : 1) || Callee->getNumParams() < 1 ||
      (IsAssignment && Callee->getNumParams() > 1))
    return 0;
  const QualType Parameter = Callee->getParamDecl(0)->getType();
  if (const uint32_t Side =
          sideOf(Parameter.getNonReferenceType()->getAsCXXRecordDecl()))
    return Side;
  const Expr *Source = Args[IsAssignment]->IgnoreImpCasts();
  if (const uint32_t Side = sideOfAny(Source->getType()->getAsCXXRecordDecl()))
    return Side;
  return IsAssignment || iteratorMemory(Source) != Device ? 0 : FromDevice;
}

/// `where(condition)` has as many results as conditions that are true,
/// `one_hot(t)` as many columns as the largest number, unless the size is
/// given.
uint32_t sizeGiven(const CallInContext &Call) {
  unsigned Written = 0;
  for (const Expr *Arg : argumentsOf(Call.E))
    Written += !llvm::isa<CXXDefaultArgExpr>(Arg);
  const std::string Name = catalogueName(Call.Callee);
  if (Name == "at::where" || Name == "at::one_hot")
    return Written > 1 ? SizeGiven : SizeFromData;
  return 0;
}

uint32_t elementUse(ElementUse Use) {
  switch (Use) {
  case ElementUse::Read:
    return Reads;
  case ElementUse::Written:
    return Writes;
  case ElementUse::AddressTaken:
    return TakesAddress;
  case ElementUse::Unknown:
    break;
  }
  return 0;
}

class Facts {
  const CallInContext &Call;
  const State &S;
  const Evaluator &Values;
  const ASTContext &Context;
  std::vector<KnownFact> &Out;

public:
  Facts(const CallInContext &Call, const State &S, const Evaluator &Values,
        const ASTContext &Context, std::vector<KnownFact> &Out)
      : Call(Call), S(S), Values(Values), Context(Context), Out(Out) {}

  /// Adds the fact `Subject`, found at `Origin`: the name of a parameter, or a
  /// description.
  void add(Fact Subject, StringRef Origin) {
    switch (Subject) {
    case Fact::Direction:
      if (Origin == "the devices")
        return value(Fact::Destination, targetOf(Call.E));
      if (Origin == "the iterators")
        return known(Subject, directionOfIterators(argumentsOf(Call.E)));
      return Origin.contains("->")
                 ? ofField(Subject, Origin)
                 : value(Subject, argumentNamed(Call, Origin));
    case Fact::Destination:
    case Fact::Source:
      if (Origin == "the tensor")
        return value(Subject, tensorOf(Call.E));
      return value(
          Subject,
          argumentNamed(Call, Origin == "the value" ? "values" : Origin));
    case Fact::Stream:
      return value(Subject, argumentNamed(Call, Origin));
    case Fact::Size:
      return size(Origin);
    case Fact::PointerMode:
      return value(Subject, argumentsOf(Call.E).empty()
                                ? nullptr
                                : argumentsOf(Call.E)[0]);
    case Fact::Flag:
      known(Subject, flag(Origin));
      if (Origin == "the policy")
        streamOfPolicy();
      return;
    }
  }

private:
  void known(Fact Subject, uint32_t Mask) {
    if (Mask)
      Out.push_back({Subject, Value::fromMask(Mask)});
  }
  void value(Fact Subject, const Expr *E) {
    if (!E)
      return;
    Value V = Values.valueOf(E, S);
    if (!V.Unknown && !V.isNothing())
      Out.push_back({Subject, std::move(V)});
  }
  /// "p->kind": the value that was stored in that field of the argument.
  void ofField(Fact Subject, StringRef Origin) {
    auto [Name, FieldName] = Origin.split("->");
    const Expr *E = argumentNamed(Call, Name);
    std::optional<CellKey> C = E ? Values.cellOf(E) : std::nullopt;
    const RecordDecl *Class =
        E && E->getType()->isPointerType()
            ? E->getType()->getPointeeType()->getAsRecordDecl()
            : nullptr;
    if (!C || !C->Base || !Class || !Class->getDefinition())
      return;
    for (const FieldDecl *Field : Class->getDefinition()->fields())
      if (Field->getName() == FieldName) {
        Value V = Values.valueOf(CellKey{C->Base, Field, 0}, S);
        if (!V.Unknown && V.Mask && V.Slots.empty())
          Out.push_back({Subject, std::move(V)});
      }
  }
  std::optional<int64_t> number(StringRef Name) {
    const Expr *E = argumentNamed(Call, Name);
    return E ? constant(E, Context) : std::nullopt;
  }
  /// A device policy without a stream means the default stream.
  void streamOfPolicy() {
    const uint32_t Policy = policyOf(argumentsOf(Call.E));
    if (!(Policy & (SyncPolicy | NoSyncPolicy)))
      return;
    const Expr *First = argumentsOf(Call.E)[0];
    if (const CXXMemberCallExpr *Bound = onStream(First))
      return value(Fact::Stream, Bound->getArg(0));
    if (!holdsMore(First))
      known(Fact::Stream, Null);
  }
  void size(StringRef Origin) {
    auto [First, Second] = Origin.split(" x ");
    std::optional<int64_t> A = number(First);
    std::optional<int64_t> B = Second.empty() ? 1 : number(Second);
    if (A && B)
      known(Fact::Size, catalogue::sizeOf(uint64_t(*A) * uint64_t(*B)));
  }
  uint32_t flag(StringRef Origin) {
    if (Origin == "the policy")
      return policyOf(argumentsOf(Call.E));
    if (Origin == "what is done with the element")
      return elementUse(Call.Use);
    if (Origin == "the arguments")
      return constructionOf(Call.E);
    if (Origin == "whether it is moved")
      return assignmentOf(Call.Callee);
    if (Origin == "the source")
      return sourceOf(Call.E, Call.Callee);
    if (Origin == "the indices")
      return holdsMask(Call.E) ? MaskIndex : 0;
    if (Origin == "non_blocking")
      if (std::optional<int64_t> Enabled = number(Origin))
        return *Enabled ? NonBlockingCall : BlockingCall;
    if (Origin == "whether the size is given")
      return sizeGiven(Call);
    if (Origin == "limit")
      if (std::optional<int64_t> Limit = number(Origin))
        return *Limit == 0 ? StackLimit : OtherLimit;
    return 0;
  }
};

std::optional<Fact> factNamed(StringRef Name) {
  for (unsigned I = 0; I < catalogue::NumFacts; ++I)
    if (catalogue::name(Fact(I)) == Name)
      return Fact(I);
  return std::nullopt;
}

} // namespace

std::vector<KnownFact> factsOf(const catalogue::Row &Row,
                               const CallInContext &Call, const State &S,
                               const Evaluator &Values,
                               const ASTContext &Context) {
  std::vector<KnownFact> Result;
  if (!Call.Callee)
    return Result;
  Facts Gather(Call, S, Values, Context, Result);
  llvm::SmallVector<StringRef, 4> Parts;
  StringRef(Row.DecidedBy).split(Parts, ", ", -1, false);
  for (StringRef Part : Parts) {
    auto [Name, Origin] = Part.split('=');
    if (std::optional<Fact> Subject = factNamed(Name))
      Gather.add(*Subject, Origin);
  }
  // For synchronous copies, the pointers determine the behavior if the
  // direction does not.
  if (Row.Class == catalogue::CallClass::Copy) {
    if (!llvm::StringRef(Row.DecidedBy).contains("destination="))
      Gather.add(Fact::Destination, "dst");
    if (!llvm::StringRef(Row.DecidedBy).contains("source="))
      Gather.add(Fact::Source, "src");
  }
  return Result;
}

} // namespace autoprof::audit
