// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/sites/UserChoices.h"

#include "config/StepName.h"
#include "source/ast/Functions.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::source {

UserChoices::UserChoices(const RewriteOptions &Options, const SourceManager &SM,
                         UserFiles &Files, bool Preprocessed)
    : Options(Options), SM(SM), Files(Files), Comments(SM, Preprocessed),
      ExcludeFiles(filePatterns(Options.ExcludeFiles)),
      IncludeFunctions(compile(Options.IncludeFunctions)),
      ExcludeFunctions(compile(Options.ExcludeFunctions)) {}

UserChoices::Globs
UserChoices::compile(const std::vector<std::string> &Patterns) {
  Globs Result;
  for (const std::string &P : Patterns)
    if (auto Glob = llvm::GlobPattern::create(P, /*MaxSubPatterns=*/1024))
      Result.emplace_back(P, std::move(*Glob));
    else
      llvm::consumeError(Glob.takeError());
  return Result;
}

const std::string *UserChoices::match(const Globs &Patterns, StringRef Text) {
  for (const auto &[Pattern, Glob] : Patterns)
    if (Glob.match(Text))
      return &Pattern;
  return nullptr;
}

StringRef UserChoices::keep(std::string Reason) {
  return Reason.empty() ? StringRef()
                        : StringRef(*Reasons.insert(std::move(Reason)).first);
}

bool UserChoices::isAnnotated(FileID File) {
  auto [It, New] = Annotated.try_emplace(File, false);
  if (New)
    It->second = source::isAnnotated(SM.getBufferData(File));
  return It->second;
}

StringRef UserChoices::whyNot(SourceLocation Begin, SourceLocation End) {
  if (Options.LeaveAnnotated && isAnnotated(SM.getFileID(SM.getFileLoc(Begin))))
    return "its file has the probes of an annotated tree";
  if (!ExcludeFiles.empty())
    if (const FilePattern *P =
            firstMatch(ExcludeFiles, Files.position(Begin).File))
      return keep("excluded by exclude-files: " + P->text());
  return keep(Comments.why(Begin, End));
}

StringRef UserChoices::whyNot(const FunctionDecl *F) {
  if (!ExcludeFunctions.empty() || !IncludeFunctions.empty()) {
    const std::string Name = displayName(F);
    if (const std::string *P = match(ExcludeFunctions, Name))
      return keep("excluded by exclude-functions: " + *P);
    if (!IncludeFunctions.empty() && !match(IncludeFunctions, Name))
      return "not among include-functions";
  }
  const Decl *Whole = F->getDescribedFunctionTemplate();
  StringRef Reason = whyNot((Whole ? Whole : F)->getBeginLoc(), {});
  // The comment may be after a name that is not on the first line.
  return Reason.empty() ? whyNot(F->getLocation(), {}) : Reason;
}

StringRef UserChoices::whyNot(const Stmt *S) {
  const bool IsSimple = llvm::isa<Expr, DeclStmt, ReturnStmt>(S);
  return whyNot(S->getBeginLoc(), IsSimple ? S->getEndLoc() : SourceLocation());
}

bool UserChoices::isSmall(const Stmt *Body) const {
  return countStatements(Body) < Options.MinStatements;
}

bool UserChoices::isStep(const Site &S) const {
  if (Options.Step.empty())
    return false;
  const StepName Step(Options.Step);
  return S.Kind == "loop" ? Step.meansLoop(S.Location.File, S.Location.Line)
                          : Step.meansFunction(S.Function);
}

//===-- The user's own ranges ---------------------------------------------===//

/// Whether it is a scoped_range, scoped_range_in<D>, unique_range... of nvtx3
/// or nvtx3::v1.
static bool isRangeObject(const VarDecl *V) {
  const CXXRecordDecl *Class = V->getType()->getAsCXXRecordDecl();
  if (!Class || !Class->getIdentifier() ||
      !(Class->getName().starts_with("scoped_range") ||
        Class->getName().starts_with("unique_range")))
    return false;
  const DeclContext *Context = Class->getDeclContext();
  while (const auto *Space = llvm::dyn_cast<NamespaceDecl>(Context)) {
    if (Space->getName() == "nvtx3")
      return true;
    Context = Space->getParent();
  }
  return false;
}

static bool calls(const Stmt *S, StringRef A, StringRef B) {
  const auto *E = llvm::dyn_cast<Expr>(S);
  const auto *Call =
      E ? llvm::dyn_cast<CallExpr>(E->IgnoreParenImpCasts()) : nullptr;
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  return F && F->getIdentifier() &&
         (F->getName().starts_with(A) || F->getName() == B);
}

bool hasOwnRange(const Stmt *Body) {
  const auto *Block = llvm::dyn_cast_or_null<CompoundStmt>(Body);
  if (!Block || Block->body_empty())
    return false;
  for (const Stmt *S : Block->body()) {
    const auto *Declarations = llvm::dyn_cast<DeclStmt>(S);
    if (!Declarations)
      break;
    for (const Decl *D : Declarations->decls())
      if (const auto *V = llvm::dyn_cast<VarDecl>(D);
          V && !V->isStaticLocal() && isRangeObject(V))
        return true;
  }
  const Stmt *Last = Block->body_back();
  if (llvm::isa<ReturnStmt>(Last) && Block->size() > 1)
    Last = *(Block->body_end() - 2);
  return calls(Block->body_front(), "nvtxRangePush", "nvtxDomainRangePushEx") &&
         calls(Last, "nvtxRangePop", "nvtxDomainRangePop");
}

} // namespace autoprof::source
