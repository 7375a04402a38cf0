// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `autoprof sources`: shows which sources autoprof can read, and why it cannot
// read the others.
#include "commands/Commands.h"
#include "source-cli/Inputs.h"
#include "source-cli/SubCommands.h"
#include "source-cli/Summary.h"
#include "source/ast/ErrorLog.h"
#include "source/ast/Functions.h"

#include "clang/Frontend/FrontendActions.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace autoprof;
using namespace autoprof::sources;
using llvm::StringRef;

namespace {

/// The result of parsing the host side.
struct HostSide {
  source::ErrorLog Log;
  source::Loss Lost;
  bool IsLost = true;
};

/// Parses the host side as the rewriter and the audit do.
class HostParser : public clang::ASTConsumer {
public:
  HostParser(const clang::SourceManager &SM, HostSide &Result)
      : SM(SM), Result(Result) {}

  bool shouldSkipFunctionBody(clang::Decl *D) override {
    return source::isSkippable(D, SM);
  }
  bool HandleTopLevelDecl(clang::DeclGroupRef Group) override {
    for (clang::Decl *D : Group)
      if (!SM.isInSystemHeader(D->getLocation()))
        TopLevel.push_back(D);
    return true;
  }
  void HandleTranslationUnit(clang::ASTContext &Context) override {
    const source::Damage Errors(Result.Log, Context, TopLevel);
    Result.IsLost = Errors.isTotal();
    Result.Lost = Errors.loss();
  }

private:
  const clang::SourceManager &SM;
  HostSide &Result;
  std::vector<clang::Decl *> TopLevel;
};

class ParseAction : public clang::ASTFrontendAction {
public:
  explicit ParseAction(HostSide &Result) : Result(Result) {}

private:
  HostSide &Result;

  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &CI, StringRef) override {
    return std::make_unique<HostParser>(CI.getSourceManager(), Result);
  }
};

const char *const States[] = {"read", "partly", "failed", "crashed",
                              "timed out"};

class CheckSources : public SourceTask {
public:
  explicit CheckSources(bool Json) : Json(Json) {}

  llvm::Expected<Reading> work(const Unit &U,
                               clang::CompilerInstance &CI) override {
    HostSide Side;
    CI.getDiagnosticOpts().IgnoreWarnings = true; // Also with -Werror.
    CI.createDiagnostics(&Side.Log, /*ShouldOwnClient=*/false);
    source::keepGoing(CI.getDiagnostics());
    CI.getFrontendOpts().SkipFunctionBodies = true; // HostParser decides which.
    ParseAction Action(Side);
    CI.ExecuteAction(Action);
    if (Side.IsLost || (Side.Lost.Errors && U.StopAtErrors))
      return source::firstOf(Side.Lost, Side.Log);
    return Reading{"", std::move(Side.Lost)};
  }

  void collect(const Unit &U, Outcome O) override {
    if (Json)
      Rows.push_back(row(U, O));
    else if (O.Class == Outcome::Done)
      llvm::outs() << U.File << ": read\n";
    else if (O.Class == Outcome::Partly)
      llvm::outs() << U.File << ": read in part: " << describe(O.Read.Lost)
                   << '\n';
    else
      llvm::outs() << U.File << ": not read: " << O.Error << '\n';
  }

  llvm::json::Array Rows;

private:
  static llvm::json::Value row(const Unit &U, const Outcome &O) {
    llvm::json::Array Functions;
    for (const source::Skipped &F : O.Read.Lost.Functions)
      Functions.push_back(llvm::json::Object{{"file", F.Location.File},
                                             {"line", F.Location.Line},
                                             {"function", F.Function},
                                             {"error", F.Reason}});
    return llvm::json::Object{{"file", U.File},
                              {"directory", U.Directory},
                              {"state", States[O.Class]},
                              {"error", O.Class == Outcome::Done
                                            ? llvm::json::Value(nullptr)
                                            : llvm::json::Value(O.Error)},
                              {"skipped_functions", std::move(Functions)},
                              {"command", llvm::json::Array(O.args(U))},
                              {"dropped", llvm::json::Array(U.Dropped)}};
  }

  const bool Json;
};

int runSources(llvm::ArrayRef<StringRef> Args) {
  llvm::Expected<Inputs> Input = readInputs(Args, commands::Sources);
  if (!Input)
    return support::failUsage(SourcesCommand,
                              llvm::toString(Input.takeError()));
  const std::string Format = Input->Options.get("format", "terminal");
  CheckSources Task(Format == "json");
  const RunSummary Summary = sources::run(Task, Input->Units, Input->Run);
  if (Format == "json")
    llvm::outs() << llvm::formatv(
        "{0:2}\n",
        llvm::json::Value(llvm::json::Object{
            {"schema", "autoprof-sources/1"},
            {"read", Summary.Done},
            {"partly", Summary.Partly},
            {"compile_commands", llvm::json::Array(Input->CommandsFrom)},
            {"build_tool_sources", llvm::json::Array(Input->BuildToolSources)},
            {"sources", std::move(Task.Rows)}}));
  printSummary(llvm::errs(), *Input, Summary);
  return Summary.Done == Summary.total() ? support::Fine : support::Findings;
}

} // namespace

const support::Command sources::SourcesCommand = {commands::Sources,
                                                  runSources};
