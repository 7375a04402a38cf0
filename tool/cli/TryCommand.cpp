// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/SubCommands.h"
#include "cli/compare/Experimenter.h"
#include "cli/compare/Limits.h"
#include "commands/Commands.h"
#include "report/Output.h"
#include "report/recording/Experiments.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using namespace autoprof::analysis;
using llvm::StringRef;

namespace {

llvm::Expected<ExperimenterOptions> readOptions(const Arguments &A,
                                                double &AtLeast) {
  ExperimenterOptions O;
  constexpr size_t MostPlaces = 24, MostRuns = 12;
  if (llvm::Error E = readCount(A, "max", MostPlaces, O.MostChanges))
    return std::move(E);
  if (llvm::Error E = readCount(A, "runs", MostRuns, O.MostRuns))
    return std::move(E);
  if (llvm::Error E = readShare(A, "precision", O.Precision))
    return std::move(E);
  if (llvm::Error E = readShare(A, "at-least", AtLeast))
    return std::move(E);
  if (llvm::Error E = readTime(A, O.TimeLimit))
    return std::move(E);
  llvm::Expected<StepChoice> Step = chooseStep(A);
  if (!Step)
    return Step.takeError();
  O.MostRuns += O.MostRuns % 2;
  O.Step = *Step;
  O.Site = A.get("site");
  for (const auto &[Name, Value] : A.Given)
    if (Name == "compare-output")
      O.Files.push_back(Value);
  O.Folder = A.get("output", "autoprof-try");
  return std::move(O);
}

/// Writes the patch, and adds it to the file. Returns the exit code.
int patch(const Arguments &A, const std::string &TriedPath) {
  if (const int Code = makePatch(A, TriedPath))
    return Code;
  auto Text = llvm::MemoryBuffer::getFile(TriedPath);
  if (Text && A.get("format") == "json")
    llvm::outs() << (*Text)->getBuffer();
  return Fine;
}

int run(llvm::ArrayRef<StringRef> Args) {
  const auto *Split = llvm::find(Args, "--");
  llvm::Expected<Arguments> A =
      parse(Args.take_front(size_t(Split - Args.begin())), commands::Try);
  if (!A)
    return failUsage(TryCommand, A.takeError());
  if (!A->Positional.empty())
    return failUsage(TryCommand, "'" + A->Positional[0] +
                                     "' is not an option; the program comes "
                                     "after '--'");
  ExperimentSeries Series;
  if (Split != Args.end())
    for (StringRef Word : llvm::make_range(Split + 1, Args.end()))
      Series.Command.push_back(Word.str());
  const bool HasPatch = A->has("patch");
  if (A->has("build") && !HasPatch)
    return failUsage(TryCommand, "-p is for --patch=FILE");
  if (A->has("from"))
    return HasPatch && Series.Command.empty()
               ? patch(*A, A->get("from"))
               : failUsage(TryCommand, "--from is for --patch=FILE, in place "
                                       "of a program");
  if (Series.Command.empty())
    return failUsage(TryCommand,
                     "try takes a program: autoprof try -- ./train");
  double AtLeast = 0.03;
  llvm::Expected<ExperimenterOptions> Options = readOptions(*A, AtLeast);
  if (!Options)
    return failUsage(TryCommand, Options.takeError());
  if (HasPatch) // Before minutes are spent on measuring.
    if (const int Code = makePatch(*A, ""))
      return Code;
  const std::string Folder = Options->Folder;
  if (llvm::Error E = makeFolder(Folder))
    return fail(std::move(E));
  // -o is a folder here: openOutput() must not write there.
  A->Options.erase("output");
  llvm::Expected<report::Output> Out = report::openOutput(*A);
  if (!Out)
    return fail(Out.takeError());

  Experimenter Maker(std::move(*Options), Series);
  if (llvm::Error E = Maker.record())
    return fail(std::move(E));
  if (llvm::Error E = Maker.measure())
    return fail(std::move(E));
  const report::ExperimentsInput Found{Series, Maker.recording().T,
                                       Maker.recording().R};
  const std::string Tried = inFolder(Folder, "try.json");
  if (llvm::Error E = writeFile(Tried, [&Found](llvm::raw_ostream &To) {
        report::writeExperiments(To, Found, {});
      }))
    return fail(std::move(E));
  const bool IsPatched = HasPatch && !Experimenter::interrupted();
  if (!IsPatched || Out->Format != "json")
    Out->write(report::ExperimentsFormats, Found);
  if (llvm::Error E = Out->finish())
    return fail(std::move(E));
  if (Experimenter::interrupted())
    return AfterSignal + Experimenter::interrupted();
  if (IsPatched)
    if (const int Code = patch(*A, Tried))
      return Code;
  auto Gains = [&](const Experiment &E) { return E.gains(AtLeast); };
  return llvm::any_of(Series.All, Gains) || llvm::any_of(Series.Together, Gains)
             ? Findings
             : Fine;
}

} // namespace

const Command cli::TryCommand = {commands::Try, run};
