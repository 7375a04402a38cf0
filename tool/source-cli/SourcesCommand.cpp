// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `autoprof sources`: shows which sources autoprof can read, and why it cannot
// read the others.
#include "commands/Commands.h"
#include "fields/Fields.h"
#include "source-cli/Inputs.h"
#include "source-cli/SubCommands.h"
#include "source-cli/Summary.h"
#include "source/ast/ErrorLog.h"
#include "source/ast/Functions.h"

#include "clang/Frontend/FrontendActions.h"
#include "llvm/Support/raw_ostream.h"

using namespace autoprof;
using namespace autoprof::sources;
using fields::Fields;
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

/// A source, and what became of it.
struct Row {
  Unit Of;
  Outcome Result;
};

void rowFields(Fields &F, const Row &R) {
  constexpr StringRef States[] = {"read", "partly", "failed", "crashed",
                                  "timed out"};
  const Outcome &O = R.Result;
  F.field("file", "absolute path", R.Of.File);
  F.field("directory", "the folder that its command runs in", R.Of.Directory);
  F.choice("state",
           "`partly`: it has errors, and the functions without errors were "
           "read; `crashed`: clang crashed on it",
           States[O.Class], States);
  F.text(
      "error",
      "the first error, or why it was not read; null when the state is `read`",
      O.Class == Outcome::Done ? "" : O.Error);
  F.list("skipped_functions",
         "of a source that was read in part: the functions that were not read, "
         "in its headers, too",
         O.Read.Lost.Functions, [&](const source::Skipped &Function) {
           F.field("file", "absolute path", Function.Location.File);
           F.field("line", "line of the function", Function.Location.Line);
           F.field("function", "name of the function", Function.Function);
           F.field("error", "the first error in it", Function.Reason);
         });
  F.field("command", "what clang was given", O.args(R.Of));
  F.field("dropped", "options of the command that clang does not know",
          R.Of.Dropped);
}

void sourcesFields(Fields &F, const Inputs &Input, const RunSummary &Summary,
                   const std::vector<Row> &Rows) {
  F.format("autoprof-sources/1", "`--format=json` of `autoprof sources`.");
  F.field("read", "sources that were read as a whole", Summary.Done);
  F.field("partly", "sources with errors of which some functions were read",
          Summary.Partly);
  F.field("compile_commands",
          "the `compile_commands.json` files that the commands come from; "
          "absolute paths",
          Input.CommandsFrom);
  F.field("build_tool_sources",
          "sources that were skipped because a build tool wrote them for its "
          "own checks",
          Input.BuildToolSources);
  F.list("sources",
         "every source, in the order of the database or the command line", Rows,
         [&](const Row &R) { rowFields(F, R); });
}

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
    if (Side.IsLost)
      return source::firstOf(Side.Lost, Side.Log);
    return Reading{"", std::move(Side.Lost)};
  }

  void collect(const Unit &U, Outcome O) override {
    if (Json)
      Rows.push_back({U, std::move(O)});
    else if (O.Class == Outcome::Done)
      llvm::outs() << U.File << ": read\n";
    else if (O.Class == Outcome::Partly)
      llvm::outs() << U.File << ": read in part: " << describe(O.Read.Lost)
                   << '\n';
    else
      llvm::outs() << U.File << ": not read: " << O.Error << '\n';
  }

  std::vector<Row> Rows;

private:
  const bool Json;
};

int runSources(llvm::ArrayRef<StringRef> Args) {
  llvm::Expected<Inputs> Input = readInputs(Args, commands::Sources);
  if (!Input)
    return support::failUsage(SourcesCommand, Input.takeError());
  const std::string Format = Input->Options.get("format", "terminal");
  CheckSources Task(Format == "json");
  const RunSummary Summary = sources::run(Task, Input->Units, Input->Run);
  if (Format == "json")
    fields::writeFields(llvm::outs(), [&](Fields &F) {
      sourcesFields(F, *Input, Summary, Task.Rows);
    });
  printSummary(llvm::errs(), *Input, Summary);
  return Summary.Done == Summary.total() ? support::Fine : support::Findings;
}

} // namespace

void sources::describeSources(llvm::raw_ostream &Out) {
  const Inputs None;
  Fields::describe(
      Out, [&](Fields &F) { sourcesFields(F, None, RunSummary(), {}); });
}

const support::Command sources::SourcesCommand = {commands::Sources,
                                                  runSources};
