// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Experiments (docs/experiment.md): a copy to the host gives the value of the
// call before, a synchronization is left out. The text is only inserted, here
// too; include/autoprof/experiment.h says what it means. Where a call comes out
// of a macro, whose text must not change, an object hides the function for the
// statement in which the macro stands.
#include "source/Collector.h"

#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::source {

namespace {

enum class Form { None, Copy, AsyncCopy, Removal };

Form formOf(StringRef Callee) {
  return llvm::StringSwitch<Form>(Callee)
      .Case("cudaMemcpy", Form::Copy)
      .Case("cudaMemcpyAsync", Form::AsyncCopy)
      .Cases({"cudaDeviceSynchronize", "cudaStreamSynchronize",
              "cudaEventSynchronize", "cuCtxSynchronize", "cuStreamSynchronize",
              "cuEventSynchronize"},
             Form::Removal)
      .Default(Form::None);
}

/// Is this the enumerator cudaMemcpyDeviceToHost?
bool isToHost(const Expr *Kind) {
  const auto *Ref = llvm::dyn_cast<DeclRefExpr>(Kind->IgnoreParenImpCasts());
  return Ref && Ref->getDecl()->getDeclName().isIdentifier() &&
         Ref->getDecl()->getName() == "cudaMemcpyDeviceToHost";
}

/// The function's name as it is written in the call, which in a template may
/// stand for overloads.
struct Callee {
  const Expr *Written = nullptr; ///< Null: it is no name of a function.
  StringRef Name;
  bool IsQualified = false;
};

Callee calleeOf(const CallExpr *Call) {
  const Expr *E = Call->getCallee()->IgnoreParenImpCasts();
  if (const auto *Lookup = llvm::dyn_cast<UnresolvedLookupExpr>(E))
    return {E, Lookup->getName().getAsIdentifierInfo()->getName(),
            static_cast<bool>(Lookup->getQualifier())};
  const auto *Ref = llvm::dyn_cast<DeclRefExpr>(E);
  if (!Ref || !llvm::isa<FunctionDecl>(Ref->getDecl()))
    return {};
  return {E, llvm::cast<FunctionDecl>(Ref->getDecl())->getName(),
          Ref->hasQualifier()};
}

/// Why the call cannot be replaced, "" if it can.
StringRef obstacle(const CallExpr *Call, Form How,
                   const LangOptions &LangOpts) {
  if (How == Form::None)
    return "only copies to the host (cudaMemcpy, cudaMemcpyAsync) can be "
           "postponed, and synchronizations be left out";
  if (!LangOpts.CPlusPlus)
    return "it is C";
  const Callee Called = calleeOf(Call);
  if (!Called.Written)
    return "it is called through a pointer";
  if (How == Form::Removal)
    return "";
  if (Called.Name.ends_with("_ptds") || Called.Name.ends_with("_ptsz"))
    return "each thread has a default stream of its own";
  if (Call->getNumArgs() < 4 || !isToHost(Call->getArg(3)))
    return "its direction is not cudaMemcpyDeviceToHost in so many words";
  if (Called.IsQualified)
    return "it is called by a qualified name";
  return "";
}

} // namespace

/// Why the site's call stays as it is, "" if it was changed.
std::string Collector::insertExperiment(const CallExpr *Call, const Site &S,
                                        const Place &P) {
  static const char *const Shared = "its text is included more than once";
  const Form How = formOf(S.Callee);
  if (StringRef Why = obstacle(Call, How, LangOpts); !Why.empty())
    return Why.str();
  const SourceLocation Begin = calleeOf(Call).Written->getBeginLoc();
  if (Begin.isFileID() && Call->getEndLoc().isFileID()) {
    const Around A =
        How == Form::Removal ? Text.removed(S.Id) : Text.postponed(S.Id);
    const SourceLocation End = Places.behind(Call->getEndLoc());
    return Changes.insert(Begin, Rank::Callee, A.Before, End, A.Behind)
               ? ""
               : Shared;
  }
  const std::string Object = How == Form::Removal
                                 ? Text.removedObject(S.Id, S.Callee)
                                 : Text.postponedObject(S.Id, S.Callee);
  if (P.How == Place::Block)
    return Changes.insert(P.Begin, Rank::Callee, Object) ? "" : Shared;
  const Place Braces = Places.aroundExpression(Way);
  if (Braces.How == Place::None)
    return "it comes out of a macro, " + Braces.Reason;
  return Changes.insert(Braces.Begin, Rank::Block, "{" + Object, Braces.End,
                        "}")
             ? ""
             : Shared;
}

void Collector::addExperiment(const CallExpr *Call, const Site &S,
                              const Place &P, StringRef WithoutProbe) {
  if (!Wanted.isExperiment(S))
    return;
  std::string Why = WithoutProbe.str();
  if (Why.empty())
    Why = insertExperiment(Call, S, P);
  AtRisk |= Why.empty();
  Experiments.push_back({S.Kind, S.At, S.Function, S.Callee, std::move(Why)});
}

} // namespace autoprof::source
