// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/Output.h"
#include "cli/SubCommands.h"
#include "report/recording/Ranks.h"

#include <array>

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;

namespace {

/// The two sides: each side's traces around "--", or two traces.
llvm::Expected<std::array<std::vector<std::string>, 2>>
sidesOf(llvm::ArrayRef<llvm::StringRef> Args, const Arguments &A) {
  std::vector<std::string> All = A.Positional;
  // parse() took everything behind it for a trace.
  const auto *Split = llvm::find(Args, "--");
  const size_t Behind = Split == Args.end() ? 0 : Args.end() - Split - 1;
  if (Behind && Behind < All.size())
    return std::array{std::vector<std::string>(All.begin(), All.end() - Behind),
                      std::vector<std::string>(All.end() - Behind, All.end())};
  if (All.size() == 2)
    return std::array{std::vector<std::string>{All[0]},
                      std::vector<std::string>{All[1]}};
  return llvm::createStringError(
      "diff takes two traces, before and after, or groups of runs, 'A1 A2 A3 "
      "-- B1 B2 B3'; not " +
      llvm::Twine(All.size()) + (All.size() == 1 ? " trace" : " traces"));
}

/// One trace at a time: what a comparison needs of it is small, it is not; only
/// the first is kept. The steps of all are those of `Model`, or of the first.
llvm::Expected<std::vector<analysis::RunSummary>>
readSide(const std::vector<std::string> &Paths, const StepChoice &Step,
         const catalogue::Semantics *Here, const analysis::Result *Model,
         std::unique_ptr<Analysed> &First) {
  std::vector<analysis::RunSummary> Runs;
  for (const std::string &Path : Paths) {
    llvm::Expected<std::unique_ptr<Analysed>> Trace =
        analyseFile(Path, Step, Here);
    if (!Trace)
      return Trace.takeError();
    Analysed &One = **Trace;
    if (Step.Name.empty() && (Model || First))
      analysis::alignSteps(Model ? *Model : First->R, One.T, One.R);
    Runs.push_back(report::summarise(One.input()));
    if (!First)
      First = std::move(*Trace);
  }
  return Runs;
}

int run(llvm::ArrayRef<llvm::StringRef> Args) {
  std::vector<Option> Known = outputOptions().vec();
  Known.push_back({"predicted"});
  llvm::Expected<Arguments> A = parse(Args, Known);
  if (!A)
    return failUsage(DiffCommand, llvm::toString(A.takeError()));
  auto Sides = sidesOf(Args, *A);
  if (!Sides)
    return failUsage(DiffCommand, llvm::toString(Sides.takeError()));
  llvm::Expected<std::unique_ptr<catalogue::Semantics>> Here =
      openSemantics(*A);
  if (!Here)
    return fail(llvm::toString(Here.takeError()));
  llvm::Expected<StepChoice> Step = chooseStep(*A);
  if (!Step)
    return fail(llvm::toString(Step.takeError()));
  std::unique_ptr<Analysed> FirstBase, FirstNew;
  auto Base = readSide((*Sides)[0], *Step, Here->get(), nullptr, FirstBase);
  if (!Base)
    return fail(llvm::toString(Base.takeError()));
  auto New = readSide((*Sides)[1], *Step, Here->get(), &FirstBase->R, FirstNew);
  if (!New)
    return fail(llvm::toString(New.takeError()));
  llvm::Expected<Output> Out = openOutput(*A, /*Pages=*/true);
  if (!Out)
    return fail(llvm::toString(Out.takeError()));

  analysis::Difference D = analysis::compare(std::move(*Base), std::move(*New));
  if (A->has("predicted")) {
    D.Predicted = analysis::comparePrediction(D);
    if (!D.Predicted)
      return fail("--predicted needs steps on both sides, and the same ones; "
                  "say with --step what a step is");
  }
  switch (Out->As) {
  case Format::Terminal:
    report::writeDiffTerminal(Out->stream(), D, Out->Style);
    break;
  case Format::Markdown:
    report::writeDiffMarkdown(Out->stream(), D, Out->Style);
    break;
  case Format::Json:
    report::writeDiffJson(Out->stream(), D);
    break;
  case Format::Html:
    report::writeDiffHtml(Out->stream(), FirstBase->input(), FirstNew->input(),
                          D);
    break;
  }
  if (llvm::Error E = Out->finish())
    return fail(llvm::toString(std::move(E)));
  bool Slower = D.Step && D.Step->Significant && D.Step->Change > 0;
  return A->has("exit-code") && Slower ? Findings : Fine;
}

} // namespace

const Command cli::DiffCommand = {
    "diff", "two recordings, before and after, with significance",
    "Usage: autoprof diff [OPTIONS] BASE NEW\n"
    "       autoprof diff [OPTIONS] BASE... -- NEW...\n"
    "\n"
    "Compares recordings of one program: which sites wait more or less, how "
    "the\n"
    "CPU's lead changed, and whether the steps became faster beyond chance.\n"
    "\n"
    "With one recording a side, the steps are the sample (Wilcoxon or\n"
    "Mann-Whitney test, block bootstrap of the median): it tells whether "
    "these\n"
    "two runs differ. Runs of one program differ, too. With several on a side\n"
    "(two groups around --), what counts is how much the runs of each side "
    "vary\n"
    "(Welch's t-test of their medians).\n"
    "\n"
    "Options:\n" AUTOPROF_OUTPUT_HELP AUTOPROF_SEMANTICS_HELP
    "  --predicted       add what the base predicted for the sites that no "
    "longer make\n"
    "                    the GPU idle, beside what was measured "
    "(docs/experiment.md)\n"
    "  --exit-code       exit with 1 when the steps became significantly "
    "slower\n"
    "\n"
    "Examples:\n"
    "  autoprof diff base.pftrace new.pftrace\n"
    "  autoprof diff --format=markdown base.pftrace new.pftrace\n"
    "  autoprof diff a1.pftrace a2.pftrace a3.pftrace -- b*.pftrace\n",
    run};
