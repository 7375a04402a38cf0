// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/Rewriter.h"

#include "source/Collector.h"

#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::source {

namespace {

thread_local bool Parsing = false;

/// Counts errors and keeps the first, in words.
class FirstError : public DiagnosticConsumer {
  std::string &Message;

public:
  explicit FirstError(std::string &Message) : Message(Message) {}

  void HandleDiagnostic(DiagnosticsEngine::Level Level,
                        const Diagnostic &Info) override {
    if (Level < DiagnosticsEngine::Error || !Message.empty())
      return;
    llvm::SmallString<128> Text;
    Info.FormatDiagnostic(Text);
    if (Info.getLocation().isValid())
      Message = "line " +
                std::to_string(Info.getSourceManager()
                                   .getPresumedLoc(Info.getLocation())
                                   .getLine()) +
                ": ";
    Message += Text;
  }
};

/// The parts of an invocation that a second run must not do again.
void makeSilent(CompilerInvocation &Inv) {
  Inv.getDependencyOutputOpts() = DependencyOutputOptions();
  FrontendOptions &Frontend = Inv.getFrontendOpts();
  Frontend.ProgramAction = frontend::ParseSyntaxOnly;
  Frontend.OutputFile.clear();
  Frontend.StatsFile.clear();
  Frontend.TimeTracePath.clear();
  Frontend.SymbolGraphOutputDir.clear();
  Frontend.AddPluginActions.clear();
  Frontend.ShowStats = false;
  Frontend.DisableFree = false;
  Frontend.SkipFunctionBodies = true; // as SiteConsumer decides
  DiagnosticOptions &Diags = Inv.getDiagnosticOpts();
  Diags.DiagnosticSerializationFile.clear();
  Diags.DiagnosticLogFile.clear();
  Diags.ShowCarets = false; // with it comes the line "1 warning generated."
  Diags.VerifyDiagnostics = false;
  Diags.IgnoreWarnings = true;
  Inv.getHeaderSearchOpts().Verbose = false;
}

class SiteConsumer : public SemaConsumer {
public:
  SiteConsumer(CompilerInstance &CI, const RewriteOptions &Options,
               Rewriting &Result, bool &UsedBlocks)
      : CI(CI), Options(Options), Result(Result), UsedBlocks(UsedBlocks) {}

  void InitializeSema(Sema &S) override { S_ = &S; }
  void ForgetSema() override { S_ = nullptr; }

  bool shouldSkipFunctionBody(Decl *D) override {
    return CI.getSourceManager().isInSystemHeader(D->getLocation());
  }

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    TopLevel.insert(TopLevel.end(), Group.begin(), Group.end());
    // Patterns are all we look at. Functions that constant expressions need
    // are not in this queue.
    if (S_)
      S_->PendingInstantiations.clear();
    return true;
  }

  void HandleTranslationUnit(ASTContext &Context) override;

private:
  bool mainFileIsIncluded() const;
  std::string table(const ProbeText &Text) const;

  CompilerInstance &CI;
  const RewriteOptions &Options;
  Rewriting &Result;
  bool &UsedBlocks;
  Sema *S_ = nullptr;
  std::vector<Decl *> TopLevel;
};

std::optional<llvm::Regex> regex(const std::optional<std::string> &Pattern) {
  if (!Pattern)
    return std::nullopt;
  return llvm::Regex(*Pattern);
}

/// A file that includes itself would carry its table once for each inclusion,
/// in the middle of anything.
bool SiteConsumer::mainFileIsIncluded() const {
  const SourceManager &SM = CI.getSourceManager();
  const FileEntry *Main = SM.getFileEntryForID(SM.getMainFileID());
  unsigned Times = 0;
  for (unsigned I = 1; I < SM.local_sloc_entry_size(); ++I) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (Entry.isFile() && Entry.getFile().getContentCache().OrigEntry &&
        &Entry.getFile().getContentCache().OrigEntry->getFileEntry() == Main)
      ++Times;
  }
  return Times > 1;
}

std::string SiteConsumer::table(const ProbeText &Text) const {
  const SourceManager &SM = CI.getSourceManager();
  StringRef Main = SM.getBufferData(SM.getMainFileID());
  std::string Lines =
      Main.ends_with("\n") && !Main.ends_with("\\\n") ? "" : "\n";
  for (const std::string &Rows : tableRows(Result.Sites))
    Lines += Text.table(Rows) + "\n";
  return Lines;
}

void SiteConsumer::HandleTranslationUnit(ASTContext &Context) {
  SourceManager &SM = CI.getSourceManager();
  if (CI.getDiagnostics().hasErrorOccurred())
    return;
  const bool Preprocessed = CI.getFrontendOpts().Inputs[0].isPreprocessed();
  std::string Main =
      UserFiles::absolute(mainFileName(SM, Preprocessed), SM.getFileManager());
  Result.Root = Options.Root
                    ? UserFiles::absolute(*Options.Root, SM.getFileManager())
                    : Project::findRoot(llvm::sys::path::parent_path(Main));
  UserFiles Files(
      SM,
      Project(Result.Root, regex(Options.HeaderFilter), regex(Options.Exclude)),
      Main);
  if (mainFileIsIncluded()) {
    Position At = Files.position(SM.getLocForStartOfFile(SM.getMainFileID()));
    Result.NotInstrumented.push_back(
        {"file", At, "", "", "the main file includes itself"});
    return;
  }
  ProbeText Text(Preprocessed);
  Collector Collect(Context, Files, Text, Options.Ranges);
  for (Decl *D : TopLevel)
    Collect.TraverseDecl(D);
  Collect.finish();
  Result.Sites = std::move(Collect.Sites);
  Result.NotInstrumented = std::move(Collect.NotInstrumented);
  if (Result.Sites.empty())
    return;
  Collect.edits().insert(SM.getLocForEndOfFile(SM.getMainFileID()), Rank::Range,
                         table(Text));
  Result.Files = Collect.edits().take();
  UsedBlocks = Collect.usedBlocks();
}

class SiteAction : public ASTFrontendAction {
  const RewriteOptions &Options;
  Rewriting &Result;
  bool &UsedBlocks;

public:
  SiteAction(const RewriteOptions &Options, Rewriting &Result, bool &UsedBlocks)
      : Options(Options), Result(Result), UsedBlocks(UsedBlocks) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef) override {
    return std::make_unique<SiteConsumer>(CI, Options, Result, UsedBlocks);
  }
};

/// Runs `Action` on what `Outer` is about to compile. Files are looked up
/// through `Outer`, so that nothing is read twice. Returns the first error.
std::string parse(CompilerInstance &Outer, FrontendAction &Action,
                  llvm::function_ref<void(CompilerInvocation &)> Adjust) {
  auto Invocation = std::make_shared<CompilerInvocation>(Outer.getInvocation());
  makeSilent(*Invocation);
  Adjust(*Invocation);
  CompilerInstance Nested(Invocation, Outer.getPCHContainerOperations());
  Nested.setVirtualFileSystem(Outer.getVirtualFileSystemPtr());
  Nested.setFileManager(Outer.getFileManagerPtr());
  std::string Error;
  Nested.createDiagnostics(new FirstError(Error), /*ShouldOwnClient=*/true);
  llvm::SaveAndRestore Guard(Parsing, true);
  if (!Nested.ExecuteAction(Action) && Error.empty())
    Error = "the parse failed";
  return Error;
}

std::string firstErrorOf(const Rewriting &Result, CompilerInstance &CI,
                         const std::string &ProbeHeader) {
  SyntaxOnlyAction Action;
  return parse(CI, Action, [&](CompilerInvocation &Inv) {
    PreprocessorOptions &Preprocessor = Inv.getPreprocessorOpts();
    for (const EditedFile &F : Result.Files)
      Preprocessor.addRemappedFile(
          F.File.getName(),
          llvm::MemoryBuffer::getMemBufferCopy(F.rewritten(), F.File.getName())
              .release());
    Preprocessor.Includes.insert(Preprocessor.Includes.begin(), ProbeHeader);
  });
}

} // namespace

bool isParsing() { return Parsing; }

bool mayHoldSites(StringRef Text) {
  for (StringRef Token : {"<<<", "cuda", "cu", "cublas", "cufft"}) {
    for (size_t At = Text.find(Token); At != StringRef::npos;
         At = Text.find(Token, At + 1)) {
      StringRef Behind = Text.substr(At + Token.size());
      if (Token == "<<<" || (!Behind.empty() && llvm::isUpper(Behind[0])))
        return true;
    }
  }
  return false;
}

Rewriting rewrite(CompilerInstance &CI, const RewriteOptions &Options) {
  Rewriting Result;
  bool UsedBlocks = false;
  SiteAction Action(Options, Result, UsedBlocks);
  if (!parse(CI, Action, [](CompilerInvocation &) {}).empty())
    return Rewriting();
  if (!Result.Files.empty() && (UsedBlocks || Options.Verify))
    Result.Broken = firstErrorOf(Result, CI, Options.ProbeHeader);
  return Result;
}

} // namespace autoprof::source
