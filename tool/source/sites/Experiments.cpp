// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/sites/Experiments.h"

#include "support/LLVMVersion.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Basic/LangOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::source {

llvm::Expected<std::vector<std::string>> parseSiteNames(StringRef Value) {
  std::vector<std::string> Result;
  for (StringRef Name : llvm::split(Value, ',')) {
    auto [File, Line] = Name.rsplit(':');
    uint64_t Number = 0;
    const bool IsId = Name.starts_with("0x") && Name.size() == 18 &&
                      !Name.drop_front(2).getAsInteger(16, Number);
    if (!IsId && (File.empty() || Line.getAsInteger(10, Number)))
      return llvm::createStringError(
          "'" + Name +
          "' of 'postpone' names no site; write FILE:LINE, or its id: 0x and "
          "16 digits");
    Result.push_back(Name.str());
  }
  return Result;
}

bool isNamed(const Site &S, llvm::ArrayRef<std::string> Names) {
  const std::string Path = "/" + S.Location.File;
  return llvm::any_of(Names, [&](StringRef Name) {
    auto [File, Line] = Name.rsplit(':');
    unsigned Number = 0;
    return Name == hex(S.Id) ||
           (!Line.getAsInteger(10, Number) && Number == S.Location.Line &&
            StringRef(Path).ends_with(("/" + File).str()));
  });
}

Experiment experimentOf(StringRef Callee) {
  return StringSwitch<Experiment>(Callee)
      .Case("cudaMemcpy", Experiment::Copy)
      .Case("cudaMemcpyAsync", Experiment::AsyncCopy)
      .Cases({"cudaDeviceSynchronize", "cudaStreamSynchronize",
              "cudaEventSynchronize", "cuCtxSynchronize", "cuStreamSynchronize",
              "cuEventSynchronize"},
             Experiment::Removal)
      .Default(Experiment::None);
}

/// Whether this is the enumerator cudaMemcpyDeviceToHost.
static bool isToHost(const Expr *Kind) {
  const auto *Ref = llvm::dyn_cast<DeclRefExpr>(Kind->IgnoreParenImpCasts());
  return Ref && Ref->getDecl()->getDeclName().isIdentifier() &&
         Ref->getDecl()->getName() == "cudaMemcpyDeviceToHost";
}

static StringRef nameOf(const Expr *Callee) {
  if (const auto *Lookup = llvm::dyn_cast<UnresolvedLookupExpr>(Callee))
    return Lookup->getName().getAsIdentifierInfo()->getName();
  return llvm::cast<FunctionDecl>(llvm::cast<DeclRefExpr>(Callee)->getDecl())
      ->getName();
}

WrittenCallee writtenCallee(const CallExpr *Call) {
  const Expr *E = Call->getCallee()->IgnoreParenImpCasts();
  if (const auto *Lookup = llvm::dyn_cast<UnresolvedLookupExpr>(E))
    return {E, static_cast<bool>(Lookup->getQualifier())};
  const auto *Ref = llvm::dyn_cast<DeclRefExpr>(E);
  if (!Ref || !llvm::isa<FunctionDecl>(Ref->getDecl()))
    return {};
  return {E, Ref->hasQualifier()};
}

StringRef whyNotChangeable(const CallExpr *Call, StringRef Callee,
                           const LangOptions &LangOpts) {
  const Experiment Change = experimentOf(Callee);
  if (Change == Experiment::None)
    return "only copies to the host (cudaMemcpy, cudaMemcpyAsync) can be "
           "postponed, and only synchronizations can be removed";
  if (!LangOpts.CPlusPlus)
    return "it is C";
  const Expr *Written = writtenCallee(Call).Written;
  if (!Written)
    return "it is called through a pointer";
  if (Change == Experiment::Removal)
    return "";
  const StringRef Name = nameOf(Written);
  if (Name.ends_with("_ptds") || Name.ends_with("_ptsz"))
    return "each thread has a default stream of its own";
  if (Call->getNumArgs() < 4 || !isToHost(Call->getArg(3)))
    return "its direction is not cudaMemcpyDeviceToHost in so many words";
  return "";
}

void printExperiments(llvm::ArrayRef<Skipped> Experiments,
                      llvm::raw_ostream &OS) {
  for (const Skipped &E : Experiments) {
    OS << E.Location.File << ':' << E.Location.Line << ':' << E.Location.Column
       << ": autoprof: " << E.Callee;
    if (!E.Reason.empty())
      OS << " is unchanged: " << E.Reason << '\n';
    else if (E.Kind == "copy")
      OS << " returns the previous call's value: an experiment, not a fix\n";
    else
      OS << " is left out: an experiment, not a fix\n";
  }
}

} // namespace autoprof::source
