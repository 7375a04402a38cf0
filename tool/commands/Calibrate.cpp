// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    {"output", 'o', "FILE", "file to write; default: autoprof-semantics.json"},
    {"quick", 0, nullptr, "measure only the CUDA runtime and driver"},
    {"only", 0, "GLOB",
     "measure only calls that match, such as '{thrust,cub}*'"},
    {"device", 0, "N", "index of the GPU to measure; the first is 0"},
    {"show", 0, "FILE",
     "print the results in FILE and measure nothing; needs no GPU"},
    {"format", 0, "FORMAT",
     "format of the output: terminal (the default), markdown or json",
     "terminal|markdown|json"},
    Color,
    {"list", 0, nullptr, "list the cases and measure nothing; needs no GPU"},
    {"from", 0, "TRACE",
     "take the times of copies and pauses from a recording made on this "
     "machine, and measure nothing; needs no GPU"},
    // For the processes that it starts itself.
    {"worker", 0, "NUMBERS"},
    {"exercise", 0, nullptr},
};

constexpr OptionGroup Groups[] = {{"Options", Options}};

} // namespace

const Manual commands::Calibrate = {
    "calibrate",
    "measure which calls wait on this machine's GPU and driver",
    "autoprof calibrate [OPTIONS]",
    "Measures, for each call of CUDA and its libraries that autoprof can "
    "exercise, whether the CPU waits in it for GPU work queued earlier. Prints "
    "the results and their differences from the built-in table, and writes "
    "them to a file that 'report', 'diff' and 'explain' read with --semantics. "
    "Also measures how long copies take, by direction, memory and size, and "
    "how long the GPU pauses between queued operations; reports use these "
    "times for predictions.\n"
    "\n"
    "It takes about two minutes, runs in a separate process, and leaves the "
    "GPU as it was. Keep the GPU free of other work meanwhile. Libraries that "
    "are not installed are skipped. Thrust, CUB and copies of device variables "
    "need nvcc.",
    Groups,
    nullptr,
    "autoprof calibrate\n"
    "autoprof calibrate --quick -o h200.json\n"
    "autoprof calibrate --show h200.json --format=markdown\n"
    "autoprof report --semantics autoprof-semantics.json base.pftrace"};
