// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    {"output", 'o', "FILE", "write there; default: autoprof-semantics.json"},
    {"quick", 0, nullptr, "only CUDA's runtime and driver"},
    {"only", 0, "GLOB", "only calls that fit, such as '{thrust,cub}*'"},
    {"device", 0, "N", "the GPU to measure, counted from 0"},
    {"show", 0, "FILE", "print such a file and measure nothing; needs no GPU"},
    {"format", 0, "FORMAT",
     "of what is printed: terminal (the default), markdown or json",
     "terminal|markdown|json"},
    Color,
    {"list", 0, nullptr, "list the cases and measure nothing; needs no GPU"},
    {"from", 0, "TRACE",
     "measure nothing: take the times of copies and pauses from a recording of "
     "this machine; needs no GPU"},
    // What processes of its own are started with.
    {"worker", 0, "NUMBERS"},
    {"exercise", 0, nullptr},
};

constexpr OptionGroup Groups[] = {{"Options", Options}};

} // namespace

const Manual commands::Calibrate = {
    "calibrate",
    "measure which calls wait on this machine's GPU and driver",
    "autoprof calibrate [OPTIONS]",
    "Measures on this machine, for each call of CUDA and its libraries that "
    "autoprof knows how to exercise, whether the CPU waits in it for GPU work "
    "queued earlier. Prints what it found, with the differences from the "
    "built-in table, and writes it to a file that 'report', 'diff' and "
    "'explain' take with --semantics. Also measures how long copies take, by "
    "direction, memory and size, and how long the GPU pauses between "
    "operations "
    "that are queued: reports predict with these. It takes about two minutes, "
    "runs in a "
    "process of its own, and leaves the GPU as it was; keep the GPU free of "
    "other work meanwhile. Libraries that are not installed are skipped; "
    "Thrust, CUB and copies of device variables need nvcc.",
    Groups,
    nullptr,
    "autoprof calibrate\n"
    "autoprof calibrate --quick -o h200.json\n"
    "autoprof calibrate --show h200.json --format=markdown\n"
    "autoprof report --semantics autoprof-semantics.json base.pftrace"};
