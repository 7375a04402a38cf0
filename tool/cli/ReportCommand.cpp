// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/Output.h"

using namespace autoprof;
using namespace autoprof::cli;

namespace {

int run(llvm::ArrayRef<llvm::StringRef> Args) {
  llvm::Expected<Arguments> A = parse(Args, outputOptions());
  if (!A)
    return failUsage(ReportCommand, llvm::toString(A.takeError()));
  if (A->Positional.size() != 1)
    return failUsage(ReportCommand, "report takes one trace, not " +
                                        llvm::Twine(A->Positional.size()));
  llvm::Expected<std::unique_ptr<catalogue::Semantics>> Here =
      openSemantics(*A);
  if (!Here)
    return fail(llvm::toString(Here.takeError()));
  llvm::Expected<StepChoice> Step = chooseStep(*A);
  if (!Step)
    return fail(llvm::toString(Step.takeError()));
  std::unique_ptr<Analysed> Trace =
      loadAndAnalyse(A->Positional[0], *Step, Here->get());
  if (!Trace)
    return Failure;
  llvm::Expected<Output> Out = openOutput(*A);
  if (!Out)
    return fail(llvm::toString(Out.takeError()));

  report::Input In{Trace->Path, Trace->T, Trace->R};
  switch (Out->As) {
  case Format::Terminal:
    report::writeReportTerminal(Out->stream(), In, Out->Style);
    break;
  case Format::Markdown:
    report::writeReportMarkdown(Out->stream(), In, Out->Style);
    break;
  case Format::Json:
    report::writeReportJson(Out->stream(), In);
    break;
  }
  if (llvm::Error E = Out->finish())
    return fail(llvm::toString(std::move(E)));
  return A->has("exit-code") && llvm::any_of(In.R.Sites, report::isFinding)
             ? Findings
             : Fine;
}

} // namespace

const Command cli::ReportCommand = {
    "report", "where the CPU waits for the GPU, what it costs, what to do",
    "Usage: autoprof report [OPTIONS] TRACE\n"
    "\n"
    "Says, for each place in the source that waits for the GPU, how long it\n"
    "waits, how far the CPU was ahead, how long the GPU stood idle because of\n"
    "it (the exposed stall), and what removing it would gain.\n"
    "\n"
    "Options:\n" AUTOPROF_OUTPUT_HELP AUTOPROF_SEMANTICS_HELP
    "  --exit-code       exit with 1 when a wait is worth removing\n"
    "\n"
    "Examples:\n"
    "  autoprof report base.pftrace\n"
    "  autoprof report --format=json base.pftrace | jq '.sites[0]'\n"
    "  autoprof report --step=train_step base.pftrace\n",
    run};
