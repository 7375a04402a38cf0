// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/Output.h"

using namespace autoprof;
using namespace autoprof::cli;

namespace {

int run(llvm::ArrayRef<llvm::StringRef> Args) {
  llvm::Expected<Arguments> A = parse(Args, outputOptions());
  if (!A)
    return failUsage(DiffCommand, llvm::toString(A.takeError()));
  if (A->Positional.size() != 2)
    return failUsage(DiffCommand,
                     "diff takes two traces, before and after, not " +
                         llvm::Twine(A->Positional.size()));
  llvm::Expected<std::unique_ptr<catalogue::Semantics>> Here =
      openSemantics(*A);
  if (!Here)
    return fail(llvm::toString(Here.takeError()));
  llvm::Expected<StepChoice> Step = chooseStep(*A);
  if (!Step)
    return fail(llvm::toString(Step.takeError()));
  std::unique_ptr<Analysed> Base =
      loadAndAnalyse(A->Positional[0], *Step, Here->get());
  if (!Base)
    return Failure;
  std::unique_ptr<Analysed> New =
      loadAndAnalyse(A->Positional[1], *Step, Here->get());
  if (!New)
    return Failure;
  if (Step->Name.empty())
    analysis::alignSteps(Base->R, New->T, New->R);
  llvm::Expected<Output> Out = openOutput(*A, /*Pages=*/true);
  if (!Out)
    return fail(llvm::toString(Out.takeError()));

  analysis::Difference D =
      analysis::compare({Base->T, Base->R}, {New->T, New->R});
  report::Input B{Base->Path, Base->T, Base->R}, N{New->Path, New->T, New->R};
  switch (Out->As) {
  case Format::Terminal:
    report::writeDiffTerminal(Out->stream(), B, N, D, Out->Style);
    break;
  case Format::Markdown:
    report::writeDiffMarkdown(Out->stream(), B, N, D, Out->Style);
    break;
  case Format::Json:
    report::writeDiffJson(Out->stream(), B, N, D);
    break;
  case Format::Html:
    report::writeDiffHtml(Out->stream(), B, N, D);
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
    "\n"
    "Compares two recordings of one program: which sites wait more or less,\n"
    "how the CPU's lead changed, and whether the steps became faster beyond\n"
    "chance (Mann-Whitney U test, bootstrap interval of the median).\n"
    "\n"
    "Options:\n" AUTOPROF_OUTPUT_HELP AUTOPROF_SEMANTICS_HELP
    "  --exit-code       exit with 1 when the steps became significantly "
    "slower\n"
    "\n"
    "Examples:\n"
    "  autoprof diff base.pftrace new.pftrace\n"
    "  autoprof diff --format=markdown base.pftrace new.pftrace\n",
    run};
