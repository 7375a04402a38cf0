// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writing down sites: their arguments, facts and streams.
#include "audit/extract/Changes.h"
#include "audit/extract/Edits.h"
#include "audit/extract/Effects.h"
#include "audit/extract/Recorder.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

void Recorder::site(const SiteInfo &Info, const State &S) {
  Site &To = Out.Sites[Info.Number];
  event(Event::SiteReached, Info.Number, Info.E->getBeginLoc());
  if (To.At.Line)
    return; // one block may stand in several places of the graph
  To.At = All.PlaceOf(Info.E->getBeginLoc());
  To.Whole = rangeOf(Info.E->getSourceRange());
  fillEdits(Info, To);
  To.Scope = scopeOf(Info.E);
  To.Macro = macroAround(Info.E->getBeginLoc());
  switchedOn(Info.E->getBeginLoc(), To);
  if (Info.Row) {
    To.Row = Info.Row->Name.str();
    To.Callee =
        StringRef(To.Row).ends_with("*") ? catalogueName(Info.Callee) : To.Row;
    To.Facts = factsOf(*Info.Row, {Info.E, Info.Callee, Info.Use}, S, Values,
                       All.Context);
    fillArguments(Info, S, To);
  } else {
    fillKernel(Info, S, To);
  }
}

void Recorder::fillKernel(const SiteInfo &Info, const State &S, Site &To) {
  const auto *Launch = llvm::cast<CUDAKernelCallExpr>(Info.E);
  To.Callee = Info.Callee ? Info.Callee->getNameAsString()
                          : shortText(Launch->getCallee()->getSourceRange(),
                                      All.Context);
  const CallExpr *Config = Launch->getConfig();
  if (Info.Callee)
    To.Kernel = All.TheNames.usr(Info.Callee);
  fillArguments(Info, S, To);
  if (!Config || Config->getNumArgs() < 4)
    return;
  for (unsigned I = 0; I < 3; ++I)
    use(Values.dataOf(Config->getArg(I), S), Use::Configures, "", To.Callee,
        Launch);
  fillStream(Config->getArg(3), S, To);
  if (!To.StreamIs.Unknown && !To.StreamIs.isNothing())
    To.Facts.push_back({catalogue::Fact::Stream, To.StreamIs});
}

static bool waitsForDevice(const SiteInfo &Info) {
  return Info.Row && Info.Row->Name == "cudaDeviceSynchronize";
}

void Recorder::fillEdits(const SiteInfo &Info, Site &To) const {
  if (Info.Row && Info.Row->Class == catalogue::CallClass::Sync)
    To.Removal = removalOf(Info.E, Around, All.Context, All.PlaceOf);
}

void Recorder::fillStream(const Expr *E, const State &S, Site &To) {
  To.StreamIs = Values.valueOf(E, S);
  if (llvm::isa<CXXDefaultArgExpr>(E))
    return;
  To.Stream = shortText(E->getSourceRange(), All.Context);
  // Looks at the whole body: only where a rule may ask.
  if (llvm::any_of(Sites.all(), waitsForDevice))
    To.StreamSeen = visibilityOf(E, Around, All.Context, All.PlaceOf);
}

/// A call that is written in a macro's definition, in a region of a debug
/// macro.
void Recorder::switchedOn(SourceLocation Loc, Site &To) const {
  if (!Loc.isMacroID())
    return;
  const SourceLocation Spelled =
      All.Context.getSourceManager().getSpellingLoc(Loc);
  if (const Conditionals::Region *R =
          All.Preprocessor.around(Spelled, All.Context.getSourceManager())) {
    To.SwitchedOnBy = R->Macro;
    To.Written = All.PlaceOf(Spelled);
  }
}

static bool isStream(QualType T) {
  const QualType To = T.getCanonicalType()->getPointeeType();
  const RecordDecl *Class = To.isNull() ? nullptr : To->getAsRecordDecl();
  return Class && Class->getIdentifier() && Class->getName() == "CUstream_st";
}

/// The USR of the function or lambda that an argument hands over, or "".
std::string Recorder::functionIn(const Stmt *S) {
  if (!S)
    return "";
  if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(S)) {
    const auto *F = llvm::dyn_cast<FunctionDecl>(Ref->getDecl());
    return F ? All.TheNames.usr(F) : "";
  }
  if (const auto *Lambda = llvm::dyn_cast<LambdaExpr>(S))
    return All.TheNames.usr(Lambda->getCallOperator());
  if (llvm::isa<CallExpr>(S) && !llvm::isa<CXXMemberCallExpr>(S))
    return "";
  for (const Stmt *Child : S->children())
    if (std::string Found = functionIn(Child); !Found.empty())
      return Found;
  return "";
}

static bool takesFunction(QualType T) {
  return T->isFunctionPointerType() || T->isFunctionType();
}

void Recorder::fillArguments(const SiteInfo &Info, const State &S, Site &To) {
  Variables Changed;
  if (Info.Row && (Info.Row->Class == catalogue::CallClass::Copy ||
                   Info.Row->Class == catalogue::CallClass::Query))
    for (int I = To.Scope; I >= 0; I = Around.All[I].Parent)
      if (Around.All[I].What == Scope::Loop) {
        Changed = changedIn(Around.LoopOf[I]);
        break;
      }
  for (const Expr *E : argumentsOf(Info.E)) {
    Arg A;
    if (!llvm::isa<CXXDefaultArgExpr>(E)) {
      A.Text = shortText(E->getSourceRange(), All.Context);
      A.Where = rangeOf(E->getSourceRange());
    }
    A.Constant = constant(E, All.Context);
    if (Evaluator::isTracked(E->getType()))
      A.Is = Values.valueOf(E, S);
    if (std::optional<CellKey> C = Values.cellOf(E))
      A.Cell = Sites.cellNumber(*C);
    A.Moves = mentions(E, Changed);
    if (takesFunction(E->getType()))
      A.Function = functionIn(E);
    if (isStream(E->getType()) && To.StreamIs.isNothing())
      fillStream(E, S, To);
    To.Args.push_back(std::move(A));
  }
}

} // namespace autoprof::audit
