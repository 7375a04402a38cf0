// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/SubCommands.h"
#include "cli/compare/Process.h"
#include "cli/traces/Analysed.h"
#include "commands/Commands.h"
#include "report/Output.h"
#include "report/compare/TrialsFile.h"
#include "report/recording/Formats.h"
#include "report/recording/Ranks.h"

#include "llvm/Support/Path.h"

#include <array>

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;

namespace {

/// The two sides: each side's traces around "--", or two traces.
llvm::Expected<std::array<std::vector<std::string>, 2>>
sidesOf(llvm::ArrayRef<llvm::StringRef> Args, const Arguments &A) {
  std::vector<std::string> All = A.Positional;
  // parse() treated everything after it as a trace.
  const auto *Split = llvm::find(Args, "--");
  const size_t NewArgs = Split == Args.end() ? 0 : Args.end() - Split - 1;
  if (NewArgs && NewArgs < All.size())
    return std::array{
        std::vector<std::string>(All.begin(), All.end() - NewArgs),
        std::vector<std::string>(All.end() - NewArgs, All.end())};
  if (All.size() == 2)
    return std::array{std::vector<std::string>{All[0]},
                      std::vector<std::string>{All[1]}};
  return llvm::createStringError(
      "diff takes two traces, before and after, or groups of runs, 'A1 A2 A3 "
      "-- B1 B2 B3'; not " +
      llvm::Twine(All.size()) + (All.size() == 1 ? " trace" : " traces"));
}

/// One trace at a time: a comparison needs little of a trace, which is large;
/// only the first is kept. The steps of all are those of `Model`, or of the
/// first.
llvm::Expected<std::vector<analysis::RunSummary>>
readSide(const std::vector<std::string> &Paths, const StepChoice &Step,
         const catalogue::Semantics *Measured, const analysis::Result *Model,
         std::unique_ptr<Analysed> &First) {
  std::vector<analysis::RunSummary> Runs;
  for (const std::string &Path : Paths) {
    llvm::Expected<std::unique_ptr<Analysed>> Trace =
        analyseFile(Path, Step, Measured);
    if (!Trace)
      return Trace.takeError();
    Analysed &One = **Trace;
    if (Step.Name.empty() && (Model || First))
      analysis::alignSteps((Model ? *Model : First->R).Steps.Site, One.T,
                           One.R);
    Runs.push_back(report::summarise(inputOf(One)));
    if (!First)
      First = std::move(*Trace);
  }
  return Runs;
}

/// The meaning of a single file: the comparison in it, whose recordings are
/// next to it.
llvm::Expected<std::optional<analysis::Trials>>
readComparison(const Arguments &A) {
  if (A.Positional.size() != 1 || !report::isTrialsFile(A.Positional[0]))
    return std::nullopt;
  llvm::Expected<analysis::Trials> T = report::readTrials(A.Positional[0]);
  if (!T)
    return T.takeError();
  if (T->Base.Recording.empty() || T->New.Recording.empty())
    return llvm::createStringError(
        "'" + A.Positional[0] +
        "' names no recordings of both sides to show; 'autoprof compare "
        "--from=" +
        A.Positional[0] + "' tells what its runs say");
  return std::move(*T);
}

/// How much runs of this program vary, measured by a self-test.
llvm::Error useNoise(const Arguments &A, analysis::Difference &D) {
  if (!A.has("noise"))
    return llvm::Error::success();
  llvm::Expected<analysis::Trials> T = report::readTrials(A.get("noise"));
  if (!T)
    return T.takeError();
  std::optional<double> Span = analysis::pairSpan(*T);
  if (!Span)
    return llvm::createStringError("'" + A.get("noise") +
                                   "' has fewer than five runs of each side");
  if (D.Step && D.Step->Basis == analysis::StepBasis::OneRun) {
    D.Step->RunsVary = Span;
    D.Step->OwnVariation = true;
  }
  return llvm::Error::success();
}

/// A step that only one side has under its name gets the remedy for it.
int failToRead(const Arguments &A, llvm::Error E) {
  const bool IsStep = E.isA<analysis::NoSuchStep>();
  return fail(llvm::toString(std::move(E)) +
              (IsStep && !A.has("base-step")
                   ? "; if the step has another name in the base, add "
                     "--base-step=NAME"
                   : ""));
}

int run(llvm::ArrayRef<llvm::StringRef> Args) {
  llvm::Expected<Arguments> A = parse(Args, commands::Diff);
  if (!A)
    return failUsage(DiffCommand, A.takeError());
  auto Compared = readComparison(*A);
  if (!Compared)
    return fail(Compared.takeError());
  using TwoSides = std::array<std::vector<std::string>, 2>;
  auto Beside = [&A](llvm::StringRef Name) {
    return std::vector{
        inFolder(llvm::sys::path::parent_path(A->Positional[0]), Name)};
  };
  llvm::Expected<TwoSides> Sides =
      *Compared ? TwoSides{Beside((*Compared)->Base.Recording),
                           Beside((*Compared)->New.Recording)}
                : sidesOf(Args, *A);
  if (!Sides)
    return failUsage(DiffCommand, Sides.takeError());
  llvm::Expected<std::unique_ptr<catalogue::Semantics>> Measured =
      openSemantics(*A);
  if (!Measured)
    return fail(Measured.takeError());
  llvm::Expected<StepChoice> Step = chooseStep(*A);
  if (!Step)
    return fail(Step.takeError());
  const bool NamesBase = A->has("base-step");
  StepChoice BaseStep = *Step;
  if (NamesBase) {
    BaseStep.Name = A->get("base-step");
    BaseStep.FromFile = false;
  }
  std::unique_ptr<Analysed> FirstBase, FirstNew;
  auto Base =
      readSide((*Sides)[0], BaseStep, Measured->get(), nullptr, FirstBase);
  if (!Base)
    return failToRead(*A, Base.takeError());
  auto New = readSide((*Sides)[1], *Step, Measured->get(),
                      NamesBase ? nullptr : &FirstBase->R, FirstNew);
  if (!New)
    return failToRead(*A, New.takeError());
  analysis::Difference D =
      analysis::compare(std::move(*Base), std::move(*New), NamesBase);
  if (*Compared)
    analysis::useTrials(D, std::move(**Compared));
  if (llvm::Error E = useNoise(*A, D))
    return fail(std::move(E));
  const report::DiffInput Reported{D, inputOf(*FirstBase), inputOf(*FirstNew)};
  if (llvm::Error E = report::print(*A, report::DiffFormats, Reported))
    return fail(std::move(E));
  return A->has("exit-code") && D.isSlower() ? Findings : Fine;
}

} // namespace

const Command cli::DiffCommand = {commands::Diff, run};
