// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `autoprof sources`: which sources autoprof can read, and why not the others.
#include "driver/Inputs.h"
#include "driver/SubCommands.h"
#include "driver/Summary.h"
#include "source/Functions.h"
#include "source/SiteConsumer.h" // FirstError

#include "clang/Frontend/FrontendActions.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace autoprof;
using namespace autoprof::driver;
using llvm::StringRef;

namespace {

/// Parses the host side, as the rewriter and the audit do.
class HostSide : public clang::ASTConsumer {
  const clang::SourceManager &SM;

public:
  explicit HostSide(const clang::SourceManager &SM) : SM(SM) {}
  bool shouldSkipFunctionBody(clang::Decl *D) override {
    return source::isSkippable(D, SM);
  }
};

class ParseAction : public clang::ASTFrontendAction {
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &CI, StringRef) override {
    return std::make_unique<HostSide>(CI.getSourceManager());
  }
};

const char *const States[] = {"read", "failed", "crashed", "timed out"};

class CheckSources : public SourceTask {
public:
  explicit CheckSources(bool Json) : Json(Json) {}

  llvm::Expected<std::string> work(const Unit &U,
                                   clang::CompilerInstance &CI) override {
    source::FirstError Error;
    CI.createDiagnostics(&Error, /*ShouldOwnClient=*/false);
    CI.getFrontendOpts().SkipFunctionBodies = true; // as HostSide decides
    ParseAction Action;
    if (CI.ExecuteAction(Action) && Error.message().empty())
      return "";
    return llvm::createStringError(Error.message());
  }

  void collect(const Unit &U, Outcome O) override {
    if (Json)
      Rows.push_back(row(U, O));
    else if (O.How == Outcome::Done)
      llvm::outs() << U.File << ": read\n";
    else
      llvm::outs() << U.File << ": not read: " << O.Error << '\n';
  }

  llvm::json::Array Rows;

private:
  static llvm::json::Value row(const Unit &U, const Outcome &O) {
    return llvm::json::Object{{"file", U.File},
                              {"directory", U.Directory},
                              {"state", States[O.How]},
                              {"error", O.How == Outcome::Done
                                            ? llvm::json::Value(nullptr)
                                            : llvm::json::Value(O.Error)},
                              {"command", llvm::json::Array(U.Args)},
                              {"dropped", llvm::json::Array(U.Dropped)}};
  }

  const bool Json;
};

int run(llvm::ArrayRef<StringRef> Args) {
  const cli::Option Known[] = {{"format", 0, true}};
  llvm::Expected<Inputs> In = readInputs(Args, Known);
  if (!In)
    return cli::failUsage(SourcesCommand, llvm::toString(In.takeError()));
  const std::string Format = In->Options.get("format", "terminal");
  if (Format != "terminal" && Format != "json")
    return cli::failUsage(SourcesCommand,
                          "--format takes terminal or json, not '" + Format +
                              "'");
  CheckSources Task(Format == "json");
  const RunSummary Summary = driver::run(Task, In->Units, In->Run);
  if (Format == "json")
    llvm::outs() << llvm::formatv(
        "{0:2}\n", llvm::json::Value(
                       llvm::json::Object{{"schema", "autoprof-sources/1"},
                                          {"read", Summary.Done},
                                          {"sources", std::move(Task.Rows)}}));
  printSummary(llvm::errs(), *In, Summary);
  return Summary.Done == Summary.total() ? cli::Fine : cli::Findings;
}

} // namespace

const cli::Command driver::SourcesCommand = {
    "sources", "check which source files autoprof can read",
    AUTOPROF_INPUT_USAGE(
        "sources") "\n"
                   "Reads source files as the other commands do, with clang "
                   "22, whichever\n"
                   "compiler they are written for, and says which it can read "
                   "and what\n"
                   "stands in the way of the others. Nothing is written.\n"
                   "\n"
                   "Options:\n" AUTOPROF_INPUT_HELP
                   "  --format=FORMAT   terminal (the default) or json\n"
                   "\n"
                   "Exit code: 0 all were read; 1 some were not; 2 wrong "
                   "usage.\n"
                   "\n"
                   "Examples:\n"
                   "  autoprof sources -p build\n"
                   "  autoprof sources -- nvcc -std=c++17 -Iinclude -c "
                   "train.cu\n",
    ::run};
