// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    {"output", 'o', "FILE",
     "where the trace goes; default: autoprof.pftrace. %p, %h and %q{NAME} "
     "stand for the process id, the host and an environment variable. A "
     "further process of the same run writes FILE with its process id before "
     "the extension. An existing file is replaced only if it is a trace or "
     "empty."},
    {"mode", 0, "MODE",
     "full (the default, unless AUTOPROF_MODE is set): calls, GPU work and "
     "probes; 1 to 2.7 us per launch on two H200 machines "
     "(docs/performance.md)\n"
     "full+stacks: and the host stacks that --stacks takes\n"
     "light: probes only, and none at launches, which it does not slow down: "
     "for production\n"
     "light+calls: and calls that may wait, by their time only, for programs "
     "that were never recompiled; about 0.4 us per launch and 0.9 us per wait "
     "on an H200\n"
     "steps: only when the parts that --steps names begin and end, with the "
     "GPU idle at both: what steps take unrecorded\n"
     "nvtx: no recording, only NVTX ranges for other tools",
     "full|full+stacks|light|light+calls|steps|nvtx"},
    {"stacks", 0, nullptr,
     "with full: the host stacks of calls that may wait and took 5 us or more, "
     "of the calls before and after the CPU was busy elsewhere, and of one in "
     "64 of the other calls, so that programs which were never recompiled have "
     "source lines: Python's, or by debug information. The same as "
     "--mode=full+stacks"},
    {"stacks-pause", 0, "TIME",
     "with --stacks: how long a thread makes no call that launches, copies or "
     "waits, for the CPU to count as busy elsewhere; default: 50us. 'off': "
     "look for no pauses, and take no stack of a launch"},
    {"memory", 0, nullptr,
     "with full: each allocation and release, for who holds the GPU's memory"},
    {"graphs", 0, "WHAT",
     "with full: what is recorded of a launch of a CUDA graph\n"
     "graph: one operation for all of it\n"
     "node: each of its kernels and copies, which makes launches several times "
     "as expensive\n"
     "auto (the default): graph if the whole run is recorded, node if a part "
     "of it is",
     "auto|graph|node"},
    {"compress", 0, nullptr,
     "write the trace compressed, with zlib; it is as safe from crashes, and "
     "opens in Perfetto as it is"},
    {"throttle", 0, "RUNS",
     "how many runs of a function or loop iteration are recorded on a thread "
     "that take less than 10 us each and have no GPU work in them; default: "
     "10000. Runs that take longer or have GPU work in them are always "
     "recorded. 'off': all runs"},
};

constexpr Option Options1[] = {
    {"steps", 0, "FROM:TO",
     "from step FROM up to, and without, step TO; the first step is 0. "
     "Several: 3:8,100:110. A step is a run of the range that --range names, "
     "else of the 'step' of .autoprof; else the program says with "
     "autoprof_step() where one ends."},
    {"range", 0, "NAME",
     "while this range is open: function:NAME, loop:FILE:LINE, range:NAME "
     "(NVTX), or what comes after the colon"},
    {"delay", 0, "TIME", "from this time after the start on: 10s, 500ms, 2m"},
    {"duration", 0, "TIME", "for so long"},
    {"capture", 0, "WHEN",
     "profiler-api: from cudaProfilerStart to cudaProfilerStop; manual: from "
     "autoprof_start() in the program, or 'autoprof attach PID start', on; all "
     "(the default)",
     "profiler-api|manual|all"},
    {"unrecorded", 0, "N",
     "time N steps before recording begins with the next one, to measure what "
     "recording costs. A step is named as for --steps. Default: 15, after 3 to "
     "30 to warm up, where the program's probes have the 'step' of .autoprof; "
     "with --steps, 15 before the first part, where there is room. 0: none"},
    {"max-size", 0, "SIZE",
     "keep only the last SIZE bytes of the trace (64M, 1G)"},
    {"dump-signal", 0, "SIG",
     "USR1 or USR2: at this signal, copy what is kept into a file beside the "
     "trace"},
    {"attach", 0, nullptr, "take orders from 'autoprof attach' (manual does)"},
    {"measure-launches"}, // For `autoprof run` itself; see RecorderCosts.cpp.
};

constexpr OptionGroup Groups[] = {
    {"Options", Options},
    {"What part of the run (default: all of it). Before it the program runs as "
     "it would alone; after it CUPTI still costs 1.3 us per launch on an H200",
     Options1}};

} // namespace

const Manual commands::Run = {
    "run",
    "record a program",
    "autoprof run [OPTIONS] [--] PROGRAM [ARGUMENTS]",
    "Runs a program and records its CUDA calls, its GPU work and its probes. "
    "The program may be compiled with the autoprof plugin (then the report "
    "names source lines) or not. Its output and its exit code stay as they "
    "are.",
    Groups,
    "Each option is also a variable: --steps is AUTOPROF_STEPS.\n"
    "\n"
    "Exit code: the program's; 128 + n when signal n ended it; 2 when autoprof "
    "could not start it.",
    "autoprof run -- ./train --steps 100\n"
    "autoprof run --steps=10:20 --range=function:train_step -- ./train\n"
    "autoprof run -o rank%q{RANK}.pftrace -- ./train"};
