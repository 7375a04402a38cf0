// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/SeparateParse.h"

#include "source/SiteConsumer.h"
#include "source/ast/Functions.h"
#include "support/LLVMVersion.h"

#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/SaveAndRestore.h"
#include <set>

using namespace clang;
using llvm::StringRef;

namespace autoprof::source {

namespace {

thread_local bool Parsing = false;

/// The parts of an invocation that a second run must not repeat.
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
  Frontend.SkipFunctionBodies = true; // ParsedSites decides which.
  DiagnosticOptions &Diags = Inv.getDiagnosticOpts();
  Diags.DiagnosticSerializationFile.clear();
  Diags.DiagnosticLogFile.clear();
  // This also prevents the line "1 warning generated."
  Diags.ShowCarets = false;
  Diags.VerifyDiagnostics = false;
  Diags.IgnoreWarnings = true;
  Inv.getHeaderSearchOpts().Verbose = false;
}

class ParsedSites : public SiteConsumer {
public:
  /// Returns whether sites of a text with this damage are collected.
  using Judge = llvm::function_ref<bool(const Damage &)>;

  ParsedSites(CompilerInstance &CI, const RewriteOptions &Options,
              Judge MayCollect, Rewriting &Result)
      : SiteConsumer(CI, Options), MayCollect(MayCollect), Result(Result) {}

  bool shouldSkipFunctionBody(Decl *D) override {
    return isSkippable(D, CI.getSourceManager());
  }
  void HandleTranslationUnit(ASTContext &Context) override {
    const auto &Log = *static_cast<ErrorLog *>(CI.getDiagnostics().getClient());
    const Damage Errors(Log, Context, topLevel());
    if (MayCollect(Errors))
      Result = collect(Errors);
  }

private:
  const Judge MayCollect;
  Rewriting &Result;
};

class SiteAction : public ASTFrontendAction {
  const RewriteOptions &Options;
  const ParsedSites::Judge MayCollect;
  Rewriting &Result;

public:
  SiteAction(const RewriteOptions &Options, ParsedSites::Judge MayCollect,
             Rewriting &Result)
      : Options(Options), MayCollect(MayCollect), Result(Result) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef) override {
    return std::make_unique<ParsedSites>(CI, Options, MayCollect, Result);
  }
};

/// Reads only functions that may have probes: probes cannot break anything
/// else, and bodies of device functions may be written for nvcc only.
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

/// Runs `Action` on the input of `Outer`, which is not compiled yet. Files are
/// looked up through `Outer`, so that nothing is read twice.
ErrorLog parse(CompilerInstance &Outer, FrontendAction &Action, bool KeepsGoing,
               llvm::function_ref<void(CompilerInvocation &)> Adjust) {
  auto Invocation = std::make_shared<CompilerInvocation>(Outer.getInvocation());
  makeSilent(*Invocation);
  Adjust(*Invocation);
  const std::unique_ptr<CompilerInstance> Nested =
      makeNested(Outer, std::move(Invocation));
  ErrorLog Log;
  Nested->createDiagnostics(&Log, /*ShouldOwnClient=*/false);
  if (KeepsGoing)
    keepGoing(Nested->getDiagnostics());
  llvm::SaveAndRestore Guard(Parsing, true);
  if (!Nested->ExecuteAction(Action) && Log.All.empty())
    Log.All.push_back({SourceLocation(), 0, "", "the parse failed"});
  return Log;
}

/// Parses the part of the rewritten text that may have probes.
ErrorLog parseRewritten(const Rewriting &Result, CompilerInstance &CI,
                        const RewriteOptions &Options, bool KeepsGoing) {
  ConfirmAction Action;
  return parse(CI, Action, KeepsGoing, [&](CompilerInvocation &Inv) {
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

} // namespace

bool isParsing() { return Parsing; }

llvm::Expected<Rewriting> rewriteIntact(CompilerInstance &CI,
                                        const RewriteOptions &Options,
                                        bool IsStrict, Loss &Lost) {
  Rewriting Result;
  bool IsRead = false;
  auto MayCollect = [&](const Damage &Errors) {
    Lost = Errors.loss();
    IsRead = !(IsStrict ? Errors.any() : Errors.isTotal());
    return IsRead;
  };
  SiteAction Action(Options, MayCollect, Result);
  const ErrorLog Log =
      parse(CI, Action, /*KeepsGoing=*/true, [](CompilerInvocation &) {});
  if (IsRead)
    return Result;
  return firstOf(Lost, Log);
}

std::string firstError(const Rewriting &Result, CompilerInstance &CI,
                       const RewriteOptions &Options) {
  const ErrorLog Log =
      parseRewritten(Result, CI, Options, /*KeepsGoing=*/false);
  return Log.All.empty() ? "" : Log.All.front().Text;
}

std::string newError(const Rewriting &Result, CompilerInstance &CI,
                     const RewriteOptions &Options) {
  const ErrorLog After =
      parseRewritten(Result, CI, Options, /*KeepsGoing=*/true);
  if (After.All.empty())
    return "";
  // Lines are the same in both texts; columns and text quoted by messages are
  // not.
  std::multiset<std::pair<std::string, unsigned>> Known;
  for (const ErrorLog::Error &E :
       parseRewritten(Rewriting(), CI, Options, /*KeepsGoing=*/true).All)
    Known.insert({E.Line, E.Id});
  for (const ErrorLog::Error &E : After.All) {
    auto Same = Known.find({E.Line, E.Id});
    if (Same == Known.end())
      return E.Text;
    Known.erase(Same);
  }
  return "";
}

void includeFirst(Preprocessor &PP, StringRef Header) {
  std::string Text = PP.getPredefines();
  size_t Pos = Text.find("\n#include \"");
  Pos = Pos == std::string::npos ? Text.size() : Pos + 1;
  PP.setPredefines(Text.insert(Pos, ("#include \"" + Header + "\"\n").str()));
}

} // namespace autoprof::source
