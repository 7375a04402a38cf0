// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/SubCommands.h"
#include "cli/traces/RankInputs.h"
#include "commands/Commands.h"
#include "report/Output.h"
#include "report/recording/Formats.h"
#include "report/recording/Ranks.h"
#include "report/recording/Sentences.h"

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;

namespace {

int reportOne(const Arguments &A, const StepChoice &Step,
              const catalogue::Semantics *Measured) {
  llvm::Expected<std::unique_ptr<Analysed>> Trace =
      analyseFile(A.Positional[0], Step, Measured);
  if (!Trace)
    return fail(Trace.takeError());
  const Analysed &One = **Trace;
  report::Input Reported{One.Path, One.T, One.R};
  report::Tried Changes;
  if (A.has("try")) {
    if (llvm::Error E =
            report::readTried(A.get("try"), One.T, One.R).moveInto(Changes))
      return fail(std::move(E));
    Reported.Measured = &Changes;
  }
  if (llvm::Error E = report::print(A, report::ReportFormats, Reported))
    return fail(std::move(E));
  if (!A.has("exit-code"))
    return Fine;
  const std::optional<bool> Found = One.R.Decided.isWorthwhile();
  if (!Found)
    return fail("--exit-code: " + report::headline(Reported) +
                "; record the program with 'autoprof run'");
  return *Found ? Findings : Fine;
}

int reportRanks(const Arguments &A, const StepChoice &Step,
                const catalogue::Semantics *Measured) {
  llvm::Expected<std::vector<std::string>> Paths = expandFolders(A.Positional);
  if (!Paths)
    return fail(Paths.takeError());
  std::vector<report::Unreadable> Bad;
  analysis::Ranks R = readRanks(*Paths, Step, Measured, Bad);
  for (const report::Unreadable &U : Bad)
    llvm::errs() << "autoprof: " << U.Error << '\n';
  if (R.All.empty())
    return Failure;
  if (llvm::Error E =
          report::print(A, report::RanksFormats, report::RanksInput{R, Bad}))
    return fail(std::move(E));
  if (!A.has("exit-code"))
    return Fine;
  const std::optional<bool> Found = R.isWorthwhile();
  if (!Found)
    return fail("--exit-code: " + report::ranksAnswer(R) +
                " Record the run again");
  return *Found ? Findings : Fine;
}

int run(Arguments &A) {
  if (A.Positional.empty())
    return failUsage(ReportCommand, "report takes a trace, or one of each rank "
                                    "of a run");
  for (llvm::StringRef Option : {"profile", "try"})
    if (A.Positional.size() > 1 && A.has(Option))
      return failUsage(ReportCommand, "--" + Option + " takes one trace");
  llvm::Expected<std::unique_ptr<catalogue::Semantics>> Measured =
      openSemantics(A);
  if (!Measured)
    return fail(Measured.takeError());
  llvm::Expected<StepChoice> Step = chooseStep(A);
  if (!Step)
    return fail(Step.takeError());
  return A.Positional.size() == 1 && !holdsRanks(A.Positional[0])
             ? reportOne(A, *Step, Measured->get())
             : reportRanks(A, *Step, Measured->get());
}

} // namespace

const Command cli::ReportCommand = {commands::Report, nullptr, run};
