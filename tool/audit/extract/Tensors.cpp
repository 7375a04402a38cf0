// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Tensors.h"

#include "audit/extract/Effects.h"
#include "audit/extract/Names.h"
#include "catalogue/Facts.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

using namespace catalogue::values;

//===-- Types -------------------------------------------------------------===//

/// "Tensor" for at::Tensor; "" for types that are not libtorch's.
static std::string torchName(QualType T) {
  if (T.isNull())
    return "";
  const TagDecl *Tag = T.getNonReferenceType()->getAsTagDecl();
  if (!Tag || !Tag->getIdentifier())
    return "";
  const std::string Full = qualifiedName(Tag);
  StringRef Name = Full;
  if (!Name.starts_with("at::") && !Name.starts_with("c10::") &&
      !Name.starts_with("torch::"))
    return "";
  return Name.rsplit("::").second.str();
}

static bool isTensor(QualType T) {
  const std::string Name = torchName(T);
  return Name == "Tensor" || Name == "TensorBase";
}

bool hasTensorDevice(QualType T) {
  const std::string Name = torchName(T);
  return Name == "Tensor" || Name == "TensorBase" || Name == "Device" ||
         Name == "DeviceType" || Name == "TensorOptions";
}

static bool isTorchs(const FunctionDecl *F) {
  const std::string Name = qualifiedName(F);
  StringRef N = Name;
  return N.starts_with("at::") || N.starts_with("c10::") ||
         N.starts_with("torch::");
}

//===-- Expressions -------------------------------------------------------===//

static Value onDevice(StringRef Text) {
  if (Text.starts_with("cuda"))
    return Value::fromMask(Device);
  return Text.starts_with("cpu") ? Value::fromMask(Pageable)
                                 : Value::anything();
}

/// "cuda:0" in `torch::Device("cuda:0")`.
static const StringLiteral *literalIn(const Stmt *S) {
  if (!S)
    return nullptr;
  if (const auto *Text = llvm::dyn_cast<StringLiteral>(S))
    return Text;
  for (const Stmt *Child : S->children())
    if (const StringLiteral *Text = literalIn(Child))
      return Text;
  return nullptr;
}

static bool isWritten(const Expr *Arg) {
  return !llvm::isa<CXXDefaultArgExpr>(Arg);
}

static Value ofConstruction(const CXXConstructExpr *E,
                            llvm::function_ref<Value(const Expr *)> ValueOf) {
  const std::string Class = torchName(E->getType());
  if (!E->getNumArgs() || !isWritten(E->getArg(0)))
    return Class == "TensorOptions" ? Value::fromMask(Pageable) : Value();
  const Expr *First = E->getArg(0);
  if (hasTensorDevice(First->getType()))
    return ValueOf(First);
  if (Class == "Device")
    if (const StringLiteral *Text = literalIn(First))
      return onDevice(Text->getString());
  // Options with only a type or a layout.
  return Class == "TensorOptions" ? Value::fromMask(Pageable)
                                  : Value::anything();
}

static StringRef calleeName(const CallExpr *Call) {
  const FunctionDecl *F = Call->getDirectCallee();
  return F && F->getIdentifier() ? F->getName() : "";
}

/// The tensor, device or options that a method is called on.
static const Expr *objectOf(const Expr *E) {
  const Expr *Object = nullptr;
  if (const auto *Member = llvm::dyn_cast<CXXMemberCallExpr>(E))
    Object = Member->getImplicitObjectArgument();
  else if (const auto *Op = llvm::dyn_cast<CXXOperatorCallExpr>(E);
           Op && llvm::isa_and_nonnull<CXXMethodDecl>(Op->getDirectCallee()))
    Object = Op->getArg(0);
  return Object && hasTensorDevice(Object->IgnoreParenImpCasts()->getType())
             ? Object
             : nullptr;
}

static Value ofMethod(const CallExpr *Call, const Expr *Object,
                      llvm::function_ref<Value(const Expr *)> ValueOf) {
  StringRef Name = calleeName(Call);
  if (Name == "cuda")
    return Value::fromMask(Device);
  if (Name == "cpu")
    return Value::fromMask(Pageable);
  if (Name == "pin_memory")
    return Value::fromMask(Pinned);
  if (Name == "to")
    return ValueOf(targetOf(Call));
  if (Name == "device" && Call->getNumArgs() && isWritten(Call->getArg(0)))
    return ValueOf(Call->getArg(0));
  return ValueOf(Object);
}

/// The value of an operation's result, from its arguments.
static Value ofFunction(const CallExpr *Call,
                        llvm::function_ref<Value(const Expr *)> ValueOf) {
  Value Joined;
  bool Found = false;
  for (const Expr *Arg : Call->arguments()) {
    if (!isWritten(Arg) || !hasTensorDevice(Arg->getType()))
      continue;
    Value V = ValueOf(Arg);
    const bool Decides = !isTensor(Arg->getType()) ||
                         (V.Mask == Device && V.Slots.empty() && !V.Unknown);
    if (Decides)
      return V;
    Joined = Found ? join(Joined, V) : V;
    Found = true;
  }
  if (Found)
    return Joined;
  if (torchName(Call->getType()) == "TensorOptions")
    return Value::fromMask(Pageable);
  return llvm::is_contained({"zeros", "ones", "empty", "full", "rand", "randn",
                             "randint", "arange", "linspace", "eye", "tensor",
                             "from_blob"},
                            calleeName(Call))
             ? Value::fromMask(Pageable)
             : Value::anything();
}

std::optional<Value>
tensorDevice(const Expr *E, const ASTContext &Context,
             llvm::function_ref<Value(const Expr *)> ValueOf) {
  if (std::optional<int64_t> Type = constant(E, Context))
    return *Type == 0   ? Value::fromMask(Pageable)
           : *Type == 1 ? Value::fromMask(Device)
                        : Value::anything();
  if (const auto *Construct = llvm::dyn_cast<CXXConstructExpr>(E))
    return ofConstruction(Construct, ValueOf);
  const auto *Call = llvm::dyn_cast<CallExpr>(E);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (!Callee || !isTorchs(Callee))
    return std::nullopt;
  if (const Expr *Object = objectOf(Call))
    return ofMethod(Call, Object, ValueOf);
  return ofFunction(Call, ValueOf);
}

//===-- Calls -------------------------------------------------------------===//

const Expr *tensorOf(const Expr *E) {
  const auto *Call = llvm::dyn_cast<CallExpr>(E);
  if (!Call)
    return nullptr;
  if (const Expr *Object = objectOf(Call))
    return Object;
  for (const Expr *Arg : Call->arguments())
    if (isTensor(Arg->getType()))
      return Arg;
  return nullptr;
}

const Expr *targetOf(const Expr *E) {
  const auto *Call = llvm::dyn_cast<CallExpr>(E);
  if (!Call || calleeName(Call) != "to")
    return nullptr;
  for (const Expr *Arg : Call->arguments())
    if (isWritten(Arg) && hasTensorDevice(Arg->getType()))
      return Arg;
  return objectOf(Call);
}

static bool isComparison(const CallExpr *Call) {
  if (!isTensor(Call->getType()))
    return false;
  if (const auto *Op = llvm::dyn_cast<CXXOperatorCallExpr>(Call))
    return Op->isComparisonOp();
  return llvm::is_contained({"eq", "ne", "lt", "le", "gt", "ge", "isnan",
                             "isinf", "isfinite", "logical_and", "logical_or",
                             "logical_not"},
                            calleeName(Call));
}

static bool holdsComparison(const Stmt *S) {
  if (!S)
    return false;
  if (const auto *Call = llvm::dyn_cast<CallExpr>(S))
    if (isComparison(Call))
      return true;
  return llvm::any_of(S->children(), holdsComparison);
}

bool holdsMask(const Expr *E) {
  const auto *Call = llvm::dyn_cast<CallExpr>(E);
  return Call && Call->getNumArgs() && holdsComparison(Call->getArg(0));
}

bool computesTensors(const FunctionDecl *Callee) {
  if (!isTorchs(Callee) || !isTensor(Callee->getReturnType()) ||
      !Callee->getIdentifier())
    return false;
  return !llvm::is_contained(
      {"to",      "cpu",       "cuda",      "pin_memory", "view",   "view_as",
       "reshape", "detach",    "slice",     "select",     "narrow", "unsqueeze",
       "squeeze", "permute",   "transpose", "t",          "expand", "flatten",
       "alias",   "from_blob", "tensor",    "empty"},
      Callee->getName());
}

} // namespace autoprof::audit
