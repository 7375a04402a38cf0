// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    {"output", 'o', "FILE",
     "the trace to write; default: autoprof.pftrace. %p, %h and %q{NAME} are "
     "replaced by the process id, the host name and an environment variable. "
     "Of "
     "several processes, the one with the most GPU work gets this name (of "
     "several ranks, one of them); the others insert their process id before "
     "the extension. An existing file is replaced only if it is a trace or "
     "empty."},
    {"all-processes", 0, nullptr,
     "keep the traces of processes without GPU work, too; without this option, "
     "they are removed if another process has GPU work"},
    {"mode", 0, "MODE",
     "full (the default, unless AUTOPROF_MODE is set): calls, GPU work and "
     "probes; 1 to 2.7 us per launch on two H200 machines "
     "(docs/performance.md)\n"
     "full+stacks: full, and host stacks (see --stacks)\n"
     "light: probes only, and none at launches, so launches are not slowed "
     "down; for production\n"
     "light+calls: light, and the times of calls that may wait, for programs "
     "that were not recompiled; about 0.4 us per launch and 0.9 us per wait on "
     "an H200\n"
     "steps: only the times at which the parts named by --steps begin and end, "
     "with the GPU idle at both; measures steps without recording\n"
     "nvtx: no recording, only NVTX ranges for other tools",
     "full|full+stacks|light|light+calls|steps|nvtx"},
    {"stacks", 0, nullptr,
     "record host stacks, so that reports of programs that were not recompiled "
     "name source lines (Python's, or from debug information). Stacks are "
     "taken of calls that may wait and took 5 us or more, of the calls before "
     "and after the CPU was busy elsewhere, and of one in 64 of the other "
     "calls; and threads that use CUDA are sampled. Needs full mode; the same "
     "as "
     "--mode=full+stacks"},
    {"stacks-pause", 0, "TIME",
     "with --stacks: the CPU counts as busy elsewhere after this time without "
     "a call that launches, copies or waits; default: 50us. 'off': ignore "
     "pauses, and take no stacks of launches"},
    {"memory", 0, nullptr,
     "with full: record each allocation and release, to show what holds GPU "
     "memory"},
    {"graphs", 0, "WHAT",
     "with full: how the launch of a CUDA graph is recorded\n"
     "graph: as one operation\n"
     "node: as each of its kernels and copies, which makes launches several "
     "times as expensive\n"
     "auto (the default): graph if the whole run is recorded, node if only a "
     "part is",
     "auto|graph|node"},
    {"semantics", 0, "FILE",
     "with full: results of 'autoprof calibrate' on this machine. The times of "
     "copies and pauses are stored in the trace, so that reports made anywhere "
     "use them; default: the file that the variable AUTOPROF_SEMANTICS names"},
    {"compress", 0, nullptr,
     "compress the trace with zlib; it survives crashes as an uncompressed "
     "trace does, and Perfetto opens it directly"},
    {"throttle", 0, "RUNS",
     "limit, per thread, of recorded runs of a function or loop iteration that "
     "take less than 10 us each and contain no GPU work; default: 10000. "
     "Longer runs and runs with GPU work are always recorded. 'off': no limit"},
};

constexpr Option PartOptions[] = {
    {"steps", 0, "FROM:TO",
     "from step FROM up to, but not including, step TO; the first step is 0. "
     "Several parts: 3:8,100:110. A step is a run of the range named by "
     "--range, otherwise of the 'step' in .autoprof; otherwise it ends where "
     "the program calls autoprof_step()."},
    {"range", 0, "NAME",
     "the range that is a step: function:NAME, loop:FILE:LINE or range:NAME "
     "(NVTX); the prefix may be omitted"},
    {"delay", 0, "TIME", "start after this time: 10s, 500ms, 2m"},
    {"duration", 0, "TIME", "stop after recording for this time"},
    {"capture", 0, "WHEN",
     "profiler-api: from cudaProfilerStart to cudaProfilerStop; manual: start "
     "at autoprof_start() in the program or at 'autoprof attach PID start'; "
     "all (the default)",
     "profiler-api|manual|all"},
    {"max-size", 0, "SIZE",
     "keep only the last SIZE bytes of the trace (64M, 1G)"},
    {"attach", 0, nullptr,
     "accept commands from 'autoprof attach' (implied by --capture=manual)"},
    {"measure-launches"}, // For `autoprof run` itself; see RecorderCosts.cpp.
};

} // namespace

const Manual commands::Run = {
    "run",
    "record a program",
    "autoprof run [OPTIONS] [--] PROGRAM [ARGUMENTS]",
    "Runs a program and records its CUDA calls, its GPU work and its probes. "
    "The program need not be recompiled; if it was compiled with the autoprof "
    "plugin, the report names source lines. The program's output and exit code "
    "do not change.",
    Options,
    "Each option can also be set as an environment variable: --steps is "
    "AUTOPROF_STEPS.",
    "autoprof run -- ./train --steps 100\n"
    "autoprof run --steps=10:20 --range=function:train_step -- ./train\n"
    "autoprof run -o rank%q{RANK}.pftrace -- ./train",
    "the program's; 128 + n if signal n ended it; 2 if autoprof could not "
    "start it.",
    "Options",
    "Part of the run to record (default: all). Before that part the program "
    "runs at full speed; after it CUPTI still costs 0.7 us per launch on an "
    "H200",
    PartOptions};
