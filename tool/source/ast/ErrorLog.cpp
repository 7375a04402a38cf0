// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/ast/ErrorLog.h"

#include "source/ast/Functions.h"
#include "source/project/UserFiles.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace autoprof::source {

void ErrorLog::HandleDiagnostic(DiagnosticsEngine::Level Level,
                                const Diagnostic &Info) {
  // A template with a local type that is used but not instantiated is caused by
  // us (SeparateParse), so it is not an error.
  if (Level < DiagnosticsEngine::Error ||
      Info.getID() == diag::err_undefined_internal_type)
    return;
  Error E{Info.getLocation(), Info.getID(), "", "", ""};
  if (E.Loc.isValid() && Info.hasSourceManager()) {
    const PresumedLoc Place = Info.getSourceManager().getPresumedLoc(E.Loc);
    if (Place.isValid()) {
      E.Line = (llvm::Twine(Place.getFilename()) + ":" +
                llvm::Twine(Place.getLine()))
                   .str();
      E.Text = E.Line + ":" + std::to_string(Place.getColumn()) + ": ";
    }
  }
  llvm::SmallString<128> Words;
  Info.FormatDiagnostic(Words);
  E.Text += Words;
  if (E.Id == diag::err_pp_file_not_found && Info.getNumArgs() &&
      Info.getArgKind(0) == DiagnosticsEngine::ak_std_string)
    E.Missing = Info.getArgStdStr(0);
  IsFatal |= Level == DiagnosticsEngine::Fatal;
  LacksHeader |= E.Id == diag::err_pp_file_not_found;
  All.push_back(std::move(E));
}

llvm::Error firstOf(const Loss &Lost, const ErrorLog &Log) {
  if (!Lost.First.empty())
    return llvm::make_error<UnreadText>(Lost.First, Lost.Missing);
  if (Log.All.empty())
    return llvm::make_error<UnreadText>("the parse failed", "");
  return llvm::make_error<UnreadText>(Log.All.front().Text,
                                      Log.All.front().Missing);
}

void keepGoing(DiagnosticsEngine &Diags) {
  Diags.setErrorLimit(0);
  Diags.setErrorsAsFatal(false); // Overrides -Wfatal-errors.
  Diags.setSeverity(diag::err_pp_file_not_found, diag::Severity::Error,
                    SourceLocation());
}

namespace {

/// Finds the text of device functions and lambdas.
class DeviceCode : public RecursiveASTVisitor<DeviceCode> {
public:
  std::vector<SourceRange> Found;
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitFunctionDecl(FunctionDecl *F) {
    if (isDeviceOnly(F))
      Found.push_back(F->getSourceRange());
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *L) {
    if (isDeviceOnly(L->getCallOperator()))
      Found.push_back(L->getSourceRange());
    return true;
  }
};

/// Finds the host functions that are written in some declarations.
class HostFunctions : public RecursiveASTVisitor<HostFunctions> {
public:
  std::vector<const FunctionDecl *> Found;
  bool TraverseStmt(Stmt *) { return true; }
  bool TraverseTypeLoc(TypeLoc, bool = true) { return true; }
  bool VisitFunctionDecl(FunctionDecl *F) {
    if (F->doesThisDeclarationHaveABody() && !F->isDefaulted() &&
        !F->isImplicit() && !F->isTemplateInstantiation() && !isDeviceOnly(F))
      Found.push_back(F);
    return true;
  }
};

/// Looks for a mark of an error in the tree.
class Marks : public RecursiveASTVisitor<Marks> {
public:
  explicit Marks(bool LacksHeader) : LacksHeader(LacksHeader) {}
  std::string Found; ///< Description of the first one, or "".

  bool TraverseLambdaExpr(LambdaExpr *L) {
    return isDeviceOnly(L->getCallOperator()) ||
           RecursiveASTVisitor::TraverseLambdaExpr(L);
  }
  bool VisitDecl(Decl *D) { return !D->isInvalidDecl() || note(Other); }
  bool VisitValueDecl(ValueDecl *D) {
    return !isBroken(D->getType()) || note(Other);
  }
  bool VisitExpr(Expr *E) {
    return !(E->containsErrors() || isBroken(E->getType())) || note(Other);
  }
  /// In a template, a call of something unknown is not yet an error, and in C
  /// the call may declare it.
  bool VisitCallExpr(CallExpr *Call) {
    if (!LacksHeader)
      return true;
    const Expr *Callee = Call->getCallee()->IgnoreParenImpCasts();
    if (const auto *Name = llvm::dyn_cast<UnresolvedLookupExpr>(Callee);
        Name && Name->decls().empty())
      return noteUndeclared(Name->getName().getAsString());
    const FunctionDecl *Known = Call->getDirectCallee();
    if (Known && Known->isImplicit() && !Known->getBuiltinID() &&
        !llvm::isa<CXXMethodDecl>(Known))
      return noteUndeclared(Known->getNameAsString());
    return true;
  }

private:
  static constexpr const char *Other = "it uses a declaration that has errors";

  bool note(std::string Mark) {
    Found = std::move(Mark);
    return false;
  }
  bool noteUndeclared(const std::string &Name) {
    return note("it calls " + Name + ", which is not declared");
  }
  static bool isBroken(QualType T) {
    if (T.isNull()) // The expression has no type yet.
      return false;
    if (T->containsErrors())
      return true;
    const RecordDecl *Class = T->getAsRecordDecl();
    return Class && Class->isInvalidDecl();
  }

  const bool LacksHeader;
};

} // namespace

Damage::Damage(const ErrorLog &Log, ASTContext &Context,
               llvm::ArrayRef<Decl *> TopLevel)
    : Log(Log), SM(Context.getSourceManager()), IsFatal(Log.IsFatal) {
  if (Log.All.empty())
    return;
  Lost.NeedsFiles =
      Log.LacksHeader || llvm::any_of(Log.All, [](const ErrorLog::Error &E) {
        return E.Id == diag::err_pp_hash_error;
      });
  findPlaces(Log);
  dropDeviceErrors(Log, Context);
  if (any())
    countFunctions(TopLevel);
}

/// Errors in an included file count at the place of its inclusion, too.
void Damage::findPlaces(const ErrorLog &Log) {
  for (size_t I = 0; I < Log.All.size(); ++I)
    for (SourceLocation Loc = Log.All[I].Loc; Loc.isValid();) {
      auto [File, Offset] = SM.getDecomposedExpansionLoc(Loc);
      ErrorPlaces[File].insert({Offset, I});
      Loc = SM.getIncludeLoc(File);
    }
}

void Damage::dropDeviceErrors(const ErrorLog &Log, ASTContext &Context) {
  DeviceCode Device;
  Device.TraverseDecl(Context.getTranslationUnitDecl());
  std::vector<bool> InDevice(Log.All.size());
  for (SourceRange R : Device.Found)
    for (size_t I : errorsIn(R))
      InDevice[I] = true;
  for (auto &[File, Errors] : ErrorPlaces)
    for (auto It = Errors.begin(); It != Errors.end();)
      It = InDevice[It->second] ? Errors.erase(It) : std::next(It);
  for (size_t I = 0; I < Log.All.size(); ++I) {
    if (InDevice[I] && !Log.IsFatal)
      continue;
    if (!Lost.Errors++) {
      Lost.First = Log.All[I].Text;
      Lost.Missing = Log.All[I].Missing;
    }
  }
}

void Damage::countFunctions(llvm::ArrayRef<Decl *> TopLevel) {
  HostFunctions Users;
  for (Decl *D : TopLevel)
    Users.TraverseDecl(D);
  bool MainHasAny = false, MainIsIntact = false, HeadersAreIntact = false;
  for (const FunctionDecl *F : Users.Found) {
    const bool IsMain = SM.isInMainFile(SM.getExpansionLoc(F->getLocation()));
    MainHasAny |= IsMain;
    std::string Reason = whyNot(F);
    if (Reason.empty()) {
      (IsMain ? MainIsIntact : HeadersAreIntact) = true;
      continue;
    }
    const PresumedLoc Place = SM.getPresumedLoc(F->getLocation());
    if (Place.isValid())
      Lost.Functions.push_back(
          {"function",
           {UserFiles::absolute(Place.getFilename(), SM.getFileManager()),
            Place.getLine(), Place.getColumn()},
           displayName(F),
           "",
           std::move(Reason)});
  }
  Intact = MainHasAny ? MainIsIntact : HeadersAreIntact;
}

std::vector<size_t> Damage::errorsIn(SourceRange R) const {
  std::vector<size_t> Result;
  if (R.isInvalid())
    return Result;
  auto [File, Begin] = SM.getDecomposedExpansionLoc(R.getBegin());
  auto [EndFile, End] = SM.getDecomposedExpansionLoc(R.getEnd());
  auto Add = [&](FileID Id, unsigned First, unsigned Last) {
    auto Errors = ErrorPlaces.find(Id);
    if (Errors == ErrorPlaces.end())
      return;
    for (auto It = Errors->second.lower_bound(First);
         It != Errors->second.end() && It->first <= Last; ++It)
      Result.push_back(It->second);
  };
  if (File == EndFile) {
    Add(File, Begin, End);
  } else {
    Add(File, Begin, ~0u);
    Add(EndFile, 0, End);
  }
  return Result;
}

std::string Damage::whyNot(const Decl *D) const {
  if (!any())
    return "";
  if (auto It = Known.find(D); It != Known.end())
    return It->second;
  std::string Reason = examine(D);
  Known[D] = Reason;
  return Reason;
}

std::string Damage::examine(const Decl *D) const {
  SourceRange Text = D->getSourceRange();
  if (const TemplateDecl *Template = D->getDescribedTemplate())
    Text.setBegin(Template->getBeginLoc());
  std::vector<size_t> Errors = errorsIn(Text);
  if (!Errors.empty())
    return Log.All[*llvm::min_element(Errors)].Text;
  Marks Find(Log.LacksHeader);
  Find.TraverseDecl(const_cast<Decl *>(D));
  if (!Find.Found.empty())
    return Find.Found;
  const DeclContext *Parent = D->getDeclContext();
  for (; Parent && !Parent->isFileContext(); Parent = Parent->getParent()) {
    if (const auto *F = llvm::dyn_cast<FunctionDecl>(Parent))
      return whyNot(F);
    if (const auto *Class = llvm::dyn_cast<RecordDecl>(Parent);
        Class && Class->isInvalidDecl())
      return "it belongs to a class that has errors";
  }
  return "";
}

} // namespace autoprof::source
