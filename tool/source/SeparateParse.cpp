// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/SeparateParse.h"

#include "source/SiteFinder.h"
#include "source/ast/Functions.h"
#include "support/LLVMVersion.h"

#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include <functional>
#include <set>

using namespace clang;
using llvm::StringRef;

namespace autoprof::source {

namespace {

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

} // namespace

ErrorLog parseSilently(CompilerInstance &Outer, FrontendAction &Action,
                       llvm::function_ref<void(CompilerInvocation &)> Adjust) {
  auto Invocation = std::make_shared<CompilerInvocation>(Outer.getInvocation());
  makeSilent(*Invocation);
  Adjust(*Invocation);
  const std::unique_ptr<CompilerInstance> Nested =
      makeNested(Outer, std::move(Invocation));
  ErrorLog Log;
  Nested->createDiagnostics(&Log, /*ShouldOwnClient=*/false);
  keepGoing(Nested->getDiagnostics());
  if (!Nested->ExecuteAction(Action) && Log.All.empty())
    Log.All.push_back({SourceLocation(), 0, "", "the parse failed"});
  return Log;
}

namespace {

/// Reads only functions that may have probes: probes cannot break anything
/// else, and bodies of device functions may be written for nvcc only.
class HostParse : public SemaConsumer {
public:
  explicit HostParse(const SourceManager &SM) : SM(SM) {}
  bool shouldSkipFunctionBody(Decl *D) override { return isSkippable(D, SM); }

private:
  const SourceManager &SM;
};

/// Skips the instantiation of function templates: the search needs only their
/// patterns, and functions that constant expressions need are instantiated in
/// any case.
class ParsedSites : public HostParse {
public:
  /// Returns whether sites of a text with this damage are collected.
  using Judge = llvm::function_ref<bool(const Damage &)>;

  ParsedSites(CompilerInstance &CI, const RewriteOptions &Options,
              Judge MayCollect, Rewriting &Result)
      : HostParse(CI.getSourceManager()), CI(CI), Options(Options),
        MayCollect(MayCollect), Result(Result) {}

  void InitializeSema(Sema &S) override { TheSema = &S; }
  void ForgetSema() override { TheSema = nullptr; }
  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      if (!CI.getSourceManager().isInSystemHeader(D->getLocation()))
        TopLevel.push_back(D);
    if (TheSema)
      TheSema->PendingInstantiations.clear();
    return true;
  }
  void HandleTranslationUnit(ASTContext &Context) override {
    const auto &Log = *static_cast<ErrorLog *>(CI.getDiagnostics().getClient());
    const Damage Errors(Log, Context, TopLevel);
    if (MayCollect(Errors))
      Result = SiteFinder(CI, Options).findAsText(TopLevel, &Errors);
  }

private:
  CompilerInstance &CI;
  const RewriteOptions &Options;
  const Judge MayCollect;
  Rewriting &Result;
  Sema *TheSema = nullptr;
  std::vector<Decl *> TopLevel; ///< The user's.
};

class ParseAction : public ASTFrontendAction {
public:
  using Maker = std::function<std::unique_ptr<ASTConsumer>(CompilerInstance &)>;
  explicit ParseAction(Maker Make) : Make(std::move(Make)) {}

private:
  const Maker Make;

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef) override {
    return Make(CI);
  }
};

/// Parses the part of the rewritten text that may have probes.
ErrorLog parseRewritten(const Rewriting &Result, CompilerInstance &CI,
                        const RewriteOptions &Options) {
  ParseAction Action([](CompilerInstance &Nested) {
    return std::make_unique<HostParse>(Nested.getSourceManager());
  });
  return parseSilently(CI, Action, [&](CompilerInvocation &Inv) {
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

llvm::Expected<Rewriting>
rewriteIntact(CompilerInstance &CI, const RewriteOptions &Options, Loss &Lost) {
  Rewriting Result;
  bool IsRead = false;
  auto MayCollect = [&](const Damage &Errors) {
    Lost = Errors.loss();
    IsRead = !Errors.isTotal();
    return IsRead;
  };
  ParseAction Action([&](CompilerInstance &Nested) {
    return std::make_unique<ParsedSites>(Nested, Options, MayCollect, Result);
  });
  const ErrorLog Log = parseSilently(CI, Action, [](CompilerInvocation &) {});
  if (IsRead)
    return Result;
  return firstOf(Lost, Log);
}

std::string newError(const Rewriting &Result, CompilerInstance &CI,
                     const RewriteOptions &Options) {
  const ErrorLog After = parseRewritten(Result, CI, Options);
  if (After.All.empty())
    return "";
  // Lines are the same in both texts; columns and text quoted by messages are
  // not.
  std::multiset<std::pair<std::string, unsigned>> Known;
  for (const ErrorLog::Error &E : parseRewritten(Rewriting(), CI, Options).All)
    Known.insert({E.Line, E.Id});
  for (const ErrorLog::Error &E : After.All) {
    auto Same = Known.find({E.Line, E.Id});
    if (Same == Known.end())
      return E.Text;
    Known.erase(Same);
  }
  return "";
}

} // namespace autoprof::source
