// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    ReportFormat,
    MaxChars,
    OutputFile,
    Step,
    Window,
    Pid,
    AllSites,
    Color,
    Semantics,
    {"profile", 0, nullptr,
     "also print a general profile: GPU activity, kernels, memory operations, "
     "API calls, ranges and a framework's operators"},
    {"by-shape", 0, nullptr,
     "the same, with a row for each operator and shapes of its inputs"},
    {"try", 0, "FILE",
     "autoprof-try/try.json: what 'autoprof try' measured for the same "
     "program; shown where it is known"},
    {"exit-code", 0, nullptr,
     "exit with 1 if a wait or copy is worth changing, with 2 if the trace "
     "does not show it"},
};

} // namespace

const Manual commands::Report = {
    "report",
    "show where the CPU waits for the GPU, the cost, and the remedy",
    "autoprof report [OPTIONS] TRACE...",
    "Shows, for each place in the source that waits for the GPU, how long it "
    "waits, how far the CPU was ahead, how long the GPU was idle because of it "
    "(the exposed stall), and what removing or postponing the wait would "
    "gain.\n"
    "\n"
    "With several traces, one per process of a parallel run (torchrun, MPI, "
    "Slurm), it compares the ranks: the slowest rank of each step, the sites "
    "summed over all ranks with the spread of their waits, and the ranks that "
    "deviate. Summaries ('autoprof summarize') and folders of traces or "
    "summaries work the same way. A file that cannot be read is named and "
    "skipped.",
    Options,
    nullptr,
    "autoprof report base.pftrace\n"
    "autoprof report --format=json base.pftrace | jq '.sites[0]'\n"
    "autoprof report --profile base.pftrace\n"
    "autoprof report --format=html -o base.html base.pftrace\n"
    "autoprof report --try=autoprof-try/try.json autoprof-try/base.pftrace\n"
    "autoprof report rank*.pftrace\n"
    "autoprof report summaries/\n"
    "autoprof report --step=train_step base.pftrace\n"
    "autoprof report trace.json.gz      # of PyTorch's profiler\n"
    "autoprof report export.sqlite      # of Nsight Systems"};
