// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/SubCommands.h"
#include "cli/traces/RankInputs.h"
#include "commands/Commands.h"
#include "export/OutputFile.h"
#include "report/recording/Summary.h"

#include "llvm/Support/Path.h"

#include <set>

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using llvm::StringRef;

namespace {

/// "rank3.summary.json"; without a rank, by the trace's own name.
std::string fileName(const analysis::RankSummary &S) {
  if (S.Info.Rank)
    return "rank" + std::to_string(*S.Info.Rank) + ".summary.json";
  StringRef Name = llvm::sys::path::filename(S.Path);
  Name.consume_back(".gz");
  return (llvm::sys::path::stem(Name) + ".summary.json").str();
}

llvm::Error write(StringRef Path, llvm::ArrayRef<analysis::RankSummary> All) {
  llvm::Expected<exports::OutputFile> File = exports::OutputFile::create(Path);
  if (!File)
    return File.takeError();
  for (const analysis::RankSummary &S : All)
    report::writeSummary(File->stream(), S);
  return File->commit();
}

llvm::Error writeFolder(StringRef Folder,
                        llvm::ArrayRef<analysis::RankSummary> All) {
  if (std::error_code E = llvm::sys::fs::create_directories(Folder))
    return llvm::createStringError("cannot create the folder '" + Folder +
                                   "': " + E.message());
  std::set<std::string> Written;
  for (const analysis::RankSummary &S : All) {
    llvm::SmallString<256> Path(Folder);
    llvm::sys::path::append(Path, fileName(S));
    if (!Written.insert(Path.str().str()).second)
      return llvm::createStringError("two of the traces would be written to '" +
                                     Path + "'; summarize them one by one");
    if (llvm::Error E = write(Path, S))
      return E;
  }
  return llvm::Error::success();
}

int run(Arguments &A) {
  if (A.Positional.empty())
    return failUsage(SummarizeCommand, "summarize takes one trace or several");
  llvm::Expected<std::unique_ptr<catalogue::Semantics>> Measured =
      openSemantics(A);
  if (!Measured)
    return fail(Measured.takeError());
  llvm::Expected<StepChoice> Step = chooseStep(A);
  if (!Step)
    return fail(Step.takeError());
  llvm::Expected<std::vector<std::string>> Paths = expandFolders(A.Positional);
  if (!Paths)
    return fail(Paths.takeError());

  std::vector<report::Unreadable> Bad;
  analysis::Ranks R = readRanks(*Paths, *Step, Measured->get(), Bad);
  for (const report::Unreadable &U : Bad)
    llvm::errs() << "autoprof: " << U.Error << '\n';
  if (R.All.empty())
    return Failure;
  std::string Out = A.get("output", "-");
  bool InFolder =
      StringRef(Out).ends_with("/") || llvm::sys::fs::is_directory(Out);
  if (llvm::Error E = InFolder ? writeFolder(Out, R.All) : write(Out, R.All))
    return fail(std::move(E));
  return Bad.empty() ? Fine : Failure;
}

} // namespace

const Command cli::SummarizeCommand = {commands::Summarize, nullptr, run};
