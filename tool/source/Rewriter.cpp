// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/Rewriter.h"

#include "source/Functions.h"
#include "source/SiteConsumer.h"

#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::source {

namespace {

thread_local bool Parsing = false;

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
  Frontend.SkipFunctionBodies = true; // as ParsedSites decides
  DiagnosticOptions &Diags = Inv.getDiagnosticOpts();
  Diags.DiagnosticSerializationFile.clear();
  Diags.DiagnosticLogFile.clear();
  Diags.ShowCarets = false; // with it comes the line "1 warning generated."
  Diags.VerifyDiagnostics = false;
  Diags.IgnoreWarnings = true;
  Inv.getHeaderSearchOpts().Verbose = false;
}

class ParsedSites : public SiteConsumer {
  Rewriting &Result;

public:
  ParsedSites(CompilerInstance &CI, const RewriteOptions &Options,
              Rewriting &Result)
      : SiteConsumer(CI, Options), Result(Result) {}

  bool shouldSkipFunctionBody(Decl *D) override {
    return isSkippable(D, CI.getSourceManager());
  }
  void HandleTranslationUnit(ASTContext &) override {
    auto *Errors = static_cast<FirstError *>(CI.getDiagnostics().getClient());
    if (Errors->message().empty())
      Result = collect();
  }
};

class SiteAction : public ASTFrontendAction {
  const RewriteOptions &Options;
  Rewriting &Result;

public:
  SiteAction(const RewriteOptions &Options, Rewriting &Result)
      : Options(Options), Result(Result) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef) override {
    return std::make_unique<ParsedSites>(CI, Options, Result);
  }
};

/// Reads only what may hold probes: nothing else can be broken by them, and
/// bodies of device functions may be for nvcc alone.
class ConfirmAction : public ASTFrontendAction {
  class Consumer : public ASTConsumer {
    const SourceManager &SM;

  public:
    explicit Consumer(const SourceManager &SM) : SM(SM) {}
    bool shouldSkipFunctionBody(Decl *D) override { return isSkippable(D, SM); }
  };

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef) override {
    return std::make_unique<Consumer>(CI.getSourceManager());
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
  FirstError Error;
  Nested.createDiagnostics(&Error, /*ShouldOwnClient=*/false);
  llvm::SaveAndRestore Guard(Parsing, true);
  if (!Nested.ExecuteAction(Action) && Error.message().empty())
    return "the parse failed";
  return Error.message();
}

} // namespace

bool isParsing() { return Parsing; }

Rewriting rewrite(CompilerInstance &CI, const RewriteOptions &Options,
                  std::string *WhyNot) {
  Rewriting Result;
  SiteAction Action(Options, Result);
  std::string Error = parse(CI, Action, [](CompilerInvocation &) {});
  if (WhyNot)
    *WhyNot = Error;
  return Error.empty() ? Result : Rewriting();
}

std::string firstError(const Rewriting &Result, CompilerInstance &CI,
                       const RewriteOptions &Options) {
  ConfirmAction Action;
  return parse(CI, Action, [&](CompilerInvocation &Inv) {
    PreprocessorOptions &Preprocessor = Inv.getPreprocessorOpts();
    for (const EditedFile &F : Result.Files)
      Preprocessor.addRemappedFile(
          F.File.getName(),
          llvm::MemoryBuffer::getMemBufferCopy(F.rewritten(), F.File.getName())
              .release());
    Preprocessor.Includes.insert(Preprocessor.Includes.begin(),
                                 Options.ProbeHeader);
  });
}

void includeFirst(Preprocessor &PP, StringRef Header) {
  std::string Text = PP.getPredefines();
  size_t At = Text.find("\n#include \"");
  At = At == std::string::npos ? Text.size() : At + 1;
  PP.setPredefines(Text.insert(At, ("#include \"" + Header + "\"\n").str()));
}

} // namespace autoprof::source
