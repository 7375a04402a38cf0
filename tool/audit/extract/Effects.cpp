// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Effects.h"

#include "catalogue/Facts.h"
#include "catalogue/HipNames.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/StringMap.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

using namespace catalogue::values;

namespace {

struct Row {
  llvm::StringLiteral Name;
  Effect Change;
};

const Row Table[] = {
#define MAKES(NAME, PARAMETER, VALUE)                                          \
  {#NAME, {Effect::Makes, PARAMETER, VALUE}},
#define BECOMES(NAME, PARAMETER, VALUE)                                        \
  {#NAME, {Effect::Becomes, PARAMETER, VALUE}},
#define RETURNS(NAME, VALUE) {#NAME, {Effect::Returns, 0, VALUE}},
#define PASSES(NAME, PARAMETER) {#NAME, {Effect::Passes, PARAMETER, 0}},
#include "audit/extract/Effects.def"
};

llvm::StringMap<Effect> index() {
  llvm::StringMap<Effect> Result;
  for (const Row &R : Table)
    Result[R.Name] = R.Change;
  return Result;
}

/// Removes version suffixes as catalogue::lookup does.
StringRef withoutVersion(StringRef Name) {
  for (StringRef Suffix : {"_ptds", "_ptsz", "_64", "_v2", "_v3"})
    Name.consume_back(Suffix);
  return Name;
}

/// cudaStreamNonBlocking, CU_STREAM_NON_BLOCKING and hipStreamNonBlocking all
/// have the value 1.
uint32_t streamOfFlags(std::optional<int64_t> Flags) {
  if (!Flags)
    return Blocking | NonBlocking;
  return *Flags & 1 ? NonBlocking : Blocking;
}

/// CUBLAS_POINTER_MODE_DEVICE and CUSPARSE_POINTER_MODE_DEVICE have the value
/// 1.
uint32_t modeOf(std::optional<int64_t> Mode) {
  if (!Mode)
    return HostMode | DeviceMode;
  return *Mode == 1 ? DeviceMode : HostMode;
}

} // namespace

uint32_t directionOf(int64_t Kind) {
  constexpr uint32_t Directions[] = {HtoH, HtoD, DtoH, DtoD};
  return Kind >= 0 && Kind < 4 ? Directions[Kind] : 0;
}

std::optional<int64_t> constant(const Expr *E, const ASTContext &Context) {
  Expr::EvalResult Result;
  if (!E || E->isValueDependent() ||
      !E->getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  if (!E->EvaluateAsInt(Result, Context, Expr::SE_NoSideEffects))
    return std::nullopt;
  return Result.Val.getInt().getExtValue();
}

std::optional<Effect> effectOf(StringRef Name, const CallExpr *Call,
                               const ASTContext &Context) {
  static const llvm::StringMap<Effect> Index = index();
  Name = catalogue::cudaName(withoutVersion(Name));
  auto ArgumentOf = [&](unsigned I) {
    return I < Call->getNumArgs() ? constant(Call->getArg(I), Context)
                                  : std::nullopt;
  };
  if (Name == "cudaStreamCreateWithFlags" ||
      Name == "cudaStreamCreateWithPriority" || Name == "cuStreamCreate" ||
      Name == "cuStreamCreateWithPriority")
    return Effect{Effect::Makes, 0, streamOfFlags(ArgumentOf(1))};
  if (Name == "cublasSetPointerMode" || Name == "cusparseSetPointerMode")
    return Effect{Effect::Becomes, 0, modeOf(ArgumentOf(1))};
  auto It = Index.find(Name);
  return It == Index.end() ? std::nullopt : std::optional(It->second);
}

} // namespace autoprof::audit
