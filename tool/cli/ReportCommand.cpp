// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/AnnotateFile.h"
#include "cli/Output.h"
#include "cli/SubCommands.h"
#include "cli/traces/RankInputs.h"
#include "report/recording/Formats.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;

namespace {

std::vector<Option> reportOptions() {
  std::vector<Option> Options = outputOptions().vec();
  Options.push_back({"profile"});
  Options.push_back({"annotate", 0, true});
  Options.push_back({"audit", 0, true});
  return Options;
}

/// What `autoprof audit --format=json` wrote; null without --audit.
llvm::Expected<std::unique_ptr<prices::AuditRules>>
openAudit(const Arguments &A) {
  if (!A.has("audit"))
    return nullptr;
  const std::string Path = A.get("audit");
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  if (!Buffer)
    return llvm::createStringError("cannot read '" + Path +
                                   "': " + Buffer.getError().message());
  llvm::Expected<prices::AuditRules> Rules =
      prices::AuditRules::read((*Buffer)->getBuffer());
  if (!Rules)
    return llvm::createStringError("cannot read '" + Path +
                                   "': " + llvm::toString(Rules.takeError()));
  return std::make_unique<prices::AuditRules>(std::move(*Rules));
}

int reportOne(const Arguments &A, const StepChoice &Step,
              const catalogue::Semantics *Measured) {
  llvm::Expected<std::unique_ptr<prices::AuditRules>> Audit = openAudit(A);
  if (!Audit)
    return fail(llvm::toString(Audit.takeError()));
  std::unique_ptr<Analysed> Trace =
      loadAndAnalyse(A.Positional[0], Step, Measured);
  if (!Trace)
    return Failure;
  if (A.has("annotate"))
    if (llvm::Error E = annotateFile(*Trace, A.get("annotate")))
      return fail(llvm::toString(std::move(E)));
  llvm::Expected<Output> Out = openOutput(A, report::ReportFormats);
  if (!Out)
    return fail(llvm::toString(Out.takeError()));
  Out->Style.Profile = A.has("profile");

  report::Input Reported{Trace->Path, Trace->T, Trace->R, Audit->get()};
  Out->write(report::ReportFormats, Reported);
  if (llvm::Error E = Out->finish())
    return fail(llvm::toString(std::move(E)));
  return A.has("exit-code") && llvm::any_of(Reported.R.Sites, report::isFinding)
             ? Findings
             : Fine;
}

/// As report::isFinding.
bool isFinding(const analysis::RankSiteRow &S) {
  using analysis::Verdict;
  return llvm::is_contained({analysis::name(Verdict::Remove),
                             analysis::name(Verdict::Postpone),
                             analysis::name(Verdict::MakeAsync)},
                            S.Verdict);
}

int reportRanks(const Arguments &A, const StepChoice &Step,
                const catalogue::Semantics *Measured) {
  llvm::Expected<std::vector<std::string>> Paths = expandFolders(A.Positional);
  if (!Paths)
    return fail(llvm::toString(Paths.takeError()));
  std::vector<report::Unreadable> Bad;
  analysis::Ranks R = readRanks(*Paths, Step, Measured, Bad);
  for (const report::Unreadable &U : Bad)
    llvm::errs() << "autoprof: " << U.Error << '\n';
  if (R.All.empty())
    return Failure;
  llvm::Expected<Output> Out = openOutput(A, report::RanksFormats);
  if (!Out)
    return fail(llvm::toString(Out.takeError()));
  Out->write(report::RanksFormats, report::RanksInput{R, Bad});
  if (llvm::Error E = Out->finish())
    return fail(llvm::toString(std::move(E)));
  bool Found = llvm::any_of(R.All, [](const analysis::RankSummary &S) {
    return llvm::any_of(S.Sites, isFinding);
  });
  return A.has("exit-code") && Found ? Findings : Fine;
}

int run(llvm::ArrayRef<llvm::StringRef> Args) {
  llvm::Expected<Arguments> A = parse(Args, reportOptions());
  if (!A)
    return failUsage(ReportCommand, llvm::toString(A.takeError()));
  if (A->get("format") == "html" && A->Positional.size() > 1)
    return failUsage(ReportCommand, "a page is of one trace; give one, or "
                                    "another --format for several ranks");
  if (A->Positional.empty())
    return failUsage(ReportCommand, "report takes a trace, or one of each rank "
                                    "of a run");
  for (const char *Option : {"profile", "annotate", "audit"})
    if (A->Positional.size() > 1 && A->has(Option))
      return failUsage(ReportCommand,
                       llvm::Twine("--") + Option + " takes one trace");
  llvm::Expected<std::unique_ptr<catalogue::Semantics>> Measured =
      openSemantics(*A);
  if (!Measured)
    return fail(llvm::toString(Measured.takeError()));
  llvm::Expected<StepChoice> Step = chooseStep(*A, /*ForPeople=*/true);
  if (!Step)
    return fail(llvm::toString(Step.takeError()));
  return A->Positional.size() == 1 && !holdsRanks(A->Positional[0])
             ? reportOne(*A, *Step, Measured->get())
             : reportRanks(*A, *Step, Measured->get());
}

} // namespace

const Command cli::ReportCommand = {
    "report", "where the CPU waits for the GPU, what it costs, what to do",
    "Usage: autoprof report [OPTIONS] TRACE...\n"
    "\n"
    "Says, for each place in the source that waits for the GPU, how long it\n"
    "waits, how far the CPU was ahead, how long the GPU stood idle because of\n"
    "it (the exposed stall), and what removing or postponing it would gain.\n"
    "\n"
    "With several traces, one of each process of a parallel run (torchrun, "
    "MPI,\n"
    "Slurm): the ranks side by side, the slowest rank of each step, and the\n"
    "sites summed over the ranks with the spread of their waits, and the "
    "ranks\n"
    "that stand out. The same for summaries ('autoprof summarize'), and for a\n"
    "folder of either. A file that cannot be read is named and left out.\n"
    "\n"
    "Options:\n" AUTOPROF_OUTPUT_HELP AUTOPROF_SEMANTICS_HELP
    "  --profile         also what other profilers show: what the GPU did,\n"
    "                    kernels, memory operations, API calls and ranges\n"
    "  --annotate=FILE   also write a copy of the trace with waits, idle GPU "
    "and\n"
    "                    run-ahead as tracks of their own, for Perfetto\n"
    "  --audit=FILE      also which rule of the audit finds each site; FILE "
    "is\n"
    "                    of 'autoprof audit --format=json'\n"
    "  --exit-code       exit with 1 when a wait is worth a change\n"
    "\n"
    "Examples:\n"
    "  autoprof report base.pftrace\n"
    "  autoprof report --format=json base.pftrace | jq '.sites[0]'\n"
    "  autoprof report --profile base.pftrace\n"
    "  autoprof report --format=html -o base.html base.pftrace\n"
    "  autoprof report --audit=audit.json base.pftrace\n"
    "  autoprof report --annotate=annotated.pftrace base.pftrace\n"
    "  autoprof report rank*.pftrace\n"
    "  autoprof report summaries/\n"
    "  autoprof report --step=train_step base.pftrace\n"
    "  autoprof report trace.json.gz      # of PyTorch's profiler\n"
    "  autoprof report export.sqlite      # of Nsight Systems\n",
    run};
