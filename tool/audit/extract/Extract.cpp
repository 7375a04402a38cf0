// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Extract.h"

#include "audit/extract/Bodies.h"
#include "audit/extract/FunctionFlow.h"
#include "audit/extract/Summary.h"
#include "catalogue/Catalogue.h"
#include "source/ast/Functions.h"
#include "source/project/Options.h"
#include "source/project/UserFiles.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/Path.h"
#include <functional>

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

//===-- Functions that have errors ----------------------------------------===//

namespace {

class NamedThings : public RecursiveASTVisitor<NamedThings> {
  Shared &Unit;

public:
  explicit NamedThings(Shared &Unit) : Unit(Unit) {}

  bool VisitDeclRefExpr(DeclRefExpr *E) { return named(E->getDecl()); }
  bool VisitMemberExpr(MemberExpr *E) { return named(E->getMemberDecl()); }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    return named(E->getConstructor());
  }

  bool TraverseConstructorInitializer(CXXCtorInitializer *Init) {
    if (Init->isMemberInitializer())
      named(Init->getMember());
    return RecursiveASTVisitor::TraverseConstructorInitializer(Init);
  }

private:
  bool named(const ValueDecl *D) {
    if (const auto *Field = llvm::dyn_cast<FieldDecl>(D))
      anything(Unit.TheNames.field(Field));
    else if (const auto *V = llvm::dyn_cast<VarDecl>(D);
             V && V->hasGlobalStorage())
      anything(Unit.TheNames.global(V));
    else if (const auto *F = llvm::dyn_cast<FunctionDecl>(D);
             F && !Unit.TheNames.isSystem(F))
      for (unsigned I = 0; I < F->getNumParams(); ++I)
        anything(Unit.TheNames.param(F, I));
    return true;
  }
  void anything(std::string Slot) {
    Unit.Flows.push_back({std::move(Slot), Value::anything()});
  }
};

} // namespace
/// Marks `Out`, whose names are already set, as a function that may do
/// anything: launch, wait, and store anything in all variables, fields and
/// parameters of other functions that are named in it.
static void extractUnread(const FunctionDecl *F, Shared &Unit, Function &Out) {
  Out.Unread = true;
  Out.Blocks = {{{{Event::UnknownCall, 0, Out.Location}}, {}}};
  for (unsigned I = 0; I < F->getNumParams(); ++I)
    Unit.Flows.push_back({Unit.TheNames.outParam(F, I), Value::anything()});
  NamedThings Things(Unit);
  Things.TraverseDecl(const_cast<FunctionDecl *>(F));
}

namespace {

std::vector<std::string> filesOf(const SourceManager &SM) {
  std::vector<std::string> Result;
  for (auto It = SM.fileinfo_begin(); It != SM.fileinfo_end(); ++It)
    Result.push_back(
        source::UserFiles::absolute(It->first.getName(), SM.getFileManager()));
  llvm::sort(Result);
  return Result;
}

struct Request {
  std::string Database; ///< See source::Project::findRoot().
  source::Loss &Lost;
  std::vector<std::string> *FilesRead;
  source::ErrorLog Log; ///< Of a parse that continues after errors.
  std::optional<TranslationUnit> Result;
};

class Extractor : public ASTConsumer {
  CompilerInstance &CI;
  Request &Asked;
  std::vector<Decl *> TopLevel;

public:
  Extractor(CompilerInstance &CI, Request &Asked) : CI(CI), Asked(Asked) {}

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      if (!CI.getSourceManager().isInSystemHeader(D->getLocation()))
        TopLevel.push_back(D);
    return true;
  }

  bool shouldSkipFunctionBody(Decl *D) override {
    const SourceManager &SM = CI.getSourceManager();
    return SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation()));
  }

  void HandleTranslationUnit(ASTContext &Context) override;

private:
  TranslationUnit read(ASTContext &Context, const source::Damage &Errors);
  void fillFunction(const FunctionDecl *F, Shared &Unit, bool IsUnread,
                    Function &Out);
  void globals(Shared &Unit, const source::Damage &Errors,
               std::vector<Assignment> &Initial);
  static void number(std::vector<Function> &Functions,
                     const std::vector<std::string> &Signatures,
                     StringRef Root);
};

void Extractor::fillFunction(const FunctionDecl *F, Shared &Unit, bool IsUnread,
                             Function &Out) {
  Out.Usr = Unit.TheNames.usr(F);
  Out.Name = source::displayName(F);
  Out.Location = Unit.PlaceOf(F->getLocation());
  if (const auto *Method = llvm::dyn_cast<CXXMethodDecl>(F);
      Method && Method->isVirtual()) {
    Out.Class = Unit.TheNames.usr(Method->getParent());
    for (const CXXMethodDecl *Base : Method->overridden_methods())
      Out.Overrides.push_back(Unit.TheNames.usr(Base));
  }
  if (IsUnread)
    return extractUnread(F, Unit, Out);
  extractBody(F, F->getBody(), Unit, Out);
  bool Empty = true;
  for (const Block &B : Out.Blocks)
    Empty &= B.Events.empty();
  if (Empty)
    Out.Blocks.clear();
  if (Empty && Out.Uses.empty())
    Out.Scopes.clear();
}

Class classOf(const CXXRecordDecl *C, Names &TheNames) {
  Class Result;
  Result.Usr = TheNames.usr(C);
  Result.Abstract = C->isAbstract();
  for (const CXXBaseSpecifier &Base : C->bases())
    if (const CXXRecordDecl *Of = Base.getType()->getAsCXXRecordDecl())
      Result.Bases.push_back(TheNames.usr(Of));
  return Result;
}

/// Reads the initializers of global variables and of fields.
void Extractor::globals(Shared &Unit, const source::Damage &Errors,
                        std::vector<Assignment> &Initial) {
  class Visitor : public RecursiveASTVisitor<Visitor> {
    Shared &Unit;
    const source::Damage &Errors;
    std::vector<Assignment> &Initial;

  public:
    Visitor(Shared &Unit, const source::Damage &Errors,
            std::vector<Assignment> &Initial)
        : Unit(Unit), Errors(Errors), Initial(Initial) {}
    bool TraverseStmt(Stmt *) { return true; }
    bool TraverseTypeLoc(TypeLoc, bool = true) { return true; }
    bool VisitVarDecl(VarDecl *V) {
      if (V->hasGlobalStorage() &&
          (V->isThisDeclarationADefinition() || V->getInit()))
        begins(V, V->getInit());
      return !V->hasGlobalStorage() ||
             initialized(V,
                         V->getType()->isArrayType() ? nullptr : V->getInit());
    }
    bool VisitFieldDecl(FieldDecl *F) {
      if (F->hasInClassInitializer())
        begins(F, F->getInClassInitializer());
      return !F->hasInClassInitializer() ||
             initialized(F, F->getInClassInitializer());
    }

  private:
    void begins(const ValueDecl *D, const Expr *Init) {
      if (Errors.whyNot(D).empty())
        if (std::optional<Assignment> A =
                initialValue(D, Init, Unit.Context, Unit.TheNames))
          Initial.push_back(std::move(*A));
    }
    bool initialized(const ValueDecl *D, const Expr *Init) {
      if (!Evaluator::isTracked(D->getType()))
        return true;
      Value Val = Value::anything();
      if (Errors.whyNot(D).empty())
        Val =
            Init ? Evaluator(Unit.Context, Unit.TheNames, nullptr, Unit.PlaceOf)
                       .valueOf(Init, State())
                 : Value();
      if (!Val.isNothing())
        Unit.Flows.push_back({Unit.TheNames.slotOf(D), std::move(Val)});
      return true;
    }
  };
  Visitor TheVisitor(Unit, Errors, Initial);
  for (Decl *D : TopLevel)
    TheVisitor.TraverseDecl(D);
}

/// Assigns the same ids as the rewriter: a call's ordinal among the calls of
/// its callee in the function, in the order of the text; one id for each place.
void Extractor::number(std::vector<Function> &Functions,
                       const std::vector<std::string> &Signatures,
                       StringRef Root) {
  struct Entry {
    Site *S;
    const std::string *Signature;
  };
  std::vector<Entry> Entries;
  for (size_t I = 0; I < Functions.size(); ++I)
    for (Site &S : Functions[I].Sites)
      Entries.push_back({&S, &Signatures[I]});
  llvm::sort(Entries, [](const Entry &A, const Entry &B) {
    return std::tie(A.S->Location.File, A.S->Location.Offset, A.S->Callee) <
           std::tie(B.S->Location.File, B.S->Location.Offset, B.S->Callee);
  });
  llvm::StringMap<unsigned> Ordinals;
  llvm::StringMap<uint64_t> Known;
  for (const Entry &E : Entries) {
    StringRef File = E.S->Location.File;
    File.consume_front(Root);
    const std::string Callee = E.S->Row.empty() ? E.S->Callee : E.S->Row;
    const std::string Key = (File + "\n" + *E.Signature + "\n" + Callee).str();
    auto [It, New] =
        Known.try_emplace(Key + "\n" + std::to_string(E.S->Location.Offset), 0);
    if (New)
      It->second = source::siteId(File, *E.Signature, Callee, Ordinals[Key]++);
    E.S->Id = It->second;
  }
}

void Extractor::HandleTranslationUnit(ASTContext &Context) {
  const source::Damage Errors(Asked.Log, Context, TopLevel);
  Asked.Lost = Errors.loss();
  if (Errors.isTotal())
    return;
  Asked.Result = read(Context, Errors);
  if (Asked.FilesRead)
    *Asked.FilesRead = filesOf(CI.getSourceManager());
}

TranslationUnit Extractor::read(ASTContext &Context,
                                const source::Damage &Errors) {
  TranslationUnit TU;
  SourceManager &SM = CI.getSourceManager();
  const bool Preprocessed = CI.getFrontendOpts().Inputs[0].isPreprocessed();
  TU.MainFile = source::UserFiles::absolute(
      source::mainFileName(SM, Preprocessed), SM.getFileManager());
  const std::string Root = source::Project::findRoot(
      llvm::sys::path::parent_path(TU.MainFile),
      source::startOf(SM.getFileManager()), Asked.Database);
  TU.Root = StringRef(Root).ends_with("/") ? Root : Root + "/";
  for (StringRef Macro : {"CUDA_API_PER_THREAD_DEFAULT_STREAM",
                          "HIP_API_PER_THREAD_DEFAULT_STREAM"})
    TU.PerThreadStream |= CI.getPreprocessor().isMacroDefined(Macro);
  TU.Hip =
      CI.getPreprocessor().isMacroDefined("HIP_INCLUDE_HIP_HIP_RUNTIME_API_H");

  llvm::DenseMap<FileID, std::string> Paths;
  auto PlaceOf = [&](SourceLocation Loc) {
    Loc = SM.getFileLoc(Loc);
    PresumedLoc Presumed = SM.getPresumedLoc(Loc);
    if (Presumed.isInvalid())
      return Place();
    auto [It, New] = Paths.try_emplace(SM.getFileID(Loc));
    if (New)
      It->second = source::UserFiles::absolute(Presumed.getFilename(),
                                               SM.getFileManager());
    return Place{It->second, Presumed.getLine(), Presumed.getColumn(),
                 SM.getFileOffset(Loc)};
  };
  Names TheNames(SM, TU.MainFile);
  const Bodies Found = bodiesOf(Context, TopLevel);
  Shared Unit{Context, TheNames, PlaceOf, TU.Flows, Found};

  std::vector<Function> Functions;
  std::vector<std::string> Signatures;
  for (auto [Key, F] : Found.Host) {
    Function &Out = Functions.emplace_back();
    fillFunction(F, Unit, !Errors.whyNot(F).empty(), Out);
    Out.Flows.swap(TU.Flows); // What it has stored there meanwhile.
    const FunctionDecl *Named = Key;
    while (const FunctionDecl *Outer = Found.Outer.lookup(Named))
      Named = Outer->getCanonicalDecl();
    Signatures.push_back(source::signature(pattern(Named)));
  }
  for (const FunctionDecl *F : Found.Elsewhere)
    if (!TheNames.isSystem(F))
      TU.Elsewhere.push_back(TheNames.usr(F));
  for (const auto &[Type, F] : Found.Stored)
    if (!TheNames.isSystem(F))
      TU.Stored.push_back({Type, TheNames.usr(F)});
  for (const auto &[To, F] : Found.StoredIn)
    if (const std::string Slot = TheNames.slotOf(To);
        !TheNames.isSystem(F) && !Slot.empty())
      TU.Stored.push_back({Slot, TheNames.usr(F)});
  for (const CXXRecordDecl *C : Found.Classes)
    if (!TheNames.isSystem(C))
      TU.Classes.push_back(classOf(C, TheNames));
  globals(Unit, Errors, TU.Initial);
  number(Functions, Signatures, TU.Root);
  for (Function &F : Functions)
    TU.Functions.push_back(std::make_shared<Function>(std::move(F)));
  return TU;
}

class ExtractAction : public ASTFrontendAction {
  Request &Asked;

public:
  explicit ExtractAction(Request &Asked) : Asked(Asked) {}

private:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef) override {
    return std::make_unique<Extractor>(CI, Asked);
  }
};

} // namespace

llvm::Expected<TranslationUnit> extract(CompilerInstance &CI,
                                        std::string Database,
                                        source::Loss &Lost,
                                        std::vector<std::string> *FilesRead) {
  CI.getFrontendOpts().SkipFunctionBodies = true; // Extractor decides which.
  CI.getDiagnosticOpts().IgnoreWarnings = true;
  CI.getDiagnosticOpts().ShowCarets = false;
  Request Asked{std::move(Database), Lost, FilesRead, {}, {}};
  CI.createDiagnostics(&Asked.Log, /*ShouldOwnClient=*/false);
  source::keepGoing(CI.getDiagnostics());
  ExtractAction Action(Asked);
  CI.ExecuteAction(Action);
  if (Asked.Result)
    return std::move(*Asked.Result);
  return source::firstOf(Lost, Asked.Log);
}

} // namespace autoprof::audit
