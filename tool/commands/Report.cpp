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
     "also what other profilers show: what the GPU did, kernels, memory "
     "operations, API calls and ranges"},
    {"annotate", 0, "FILE",
     "also write a copy of the trace with waits, idle GPU and run-ahead as "
     "tracks of their own, for Perfetto"},
    {"audit", 0, "FILE",
     "also which rule of the audit finds each site; FILE is of 'autoprof audit "
     "--format=json'"},
    {"exit-code", 0, nullptr, "exit with 1 when a wait is worth a change"},
};

constexpr OptionGroup Groups[] = {{"Options", Options}};

} // namespace

const Manual commands::Report = {
    "report",
    "where the CPU waits for the GPU, what it costs, what to do",
    "autoprof report [OPTIONS] TRACE...",
    "Says, for each place in the source that waits for the GPU, how long it "
    "waits, how far the CPU was ahead, how long the GPU stood idle because of "
    "it (the exposed stall), and what removing or postponing it would gain.\n"
    "\n"
    "With several traces, one of each process of a parallel run (torchrun, "
    "MPI, Slurm): the ranks side by side, the slowest rank of each step, and "
    "the sites summed over the ranks with the spread of their waits, and the "
    "ranks that stand out. The same for summaries ('autoprof summarize'), and "
    "for a folder of either. A file that cannot be read is named and left out.",
    Groups,
    nullptr,
    "autoprof report base.pftrace\n"
    "autoprof report --format=json base.pftrace | jq '.sites[0]'\n"
    "autoprof report --profile base.pftrace\n"
    "autoprof report --format=html -o base.html base.pftrace\n"
    "autoprof report --audit=audit.json base.pftrace\n"
    "autoprof report --annotate=annotated.pftrace base.pftrace\n"
    "autoprof report rank*.pftrace\n"
    "autoprof report summaries/\n"
    "autoprof report --step=train_step base.pftrace\n"
    "autoprof report trace.json.gz      # of PyTorch's profiler\n"
    "autoprof report export.sqlite      # of Nsight Systems"};
