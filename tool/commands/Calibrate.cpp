// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    {"output", 'o', "FILE", "file to write; default: autoprof-semantics.json"},
    {"device", 0, "N", "index of the GPU to measure; the first is 0"},
    {"from", 0, "TRACE",
     "take the times from a recording made on this machine, and measure "
     "nothing; needs no GPU"},
    {"show", 0, "FILE",
     "print FILE as this version writes it, and measure nothing; needs no GPU"},
    // For the process that it starts itself.
    {"exercise", 0, nullptr},
};

} // namespace

const Manual commands::Calibrate = {
    "calibrate",
    "measure how long this machine's copies and pauses take",
    "autoprof calibrate [OPTIONS]",
    "Measures how long copies take, by direction, memory and size, and how "
    "long the GPU pauses between queued operations, and writes this to a file "
    "that 'report', 'diff' and 'run' read with --semantics: predictions use it "
    "where a recording has too few copies or pauses of its own.\n"
    "\n"
    "It takes about a second, and records a short program of its own. Keep the "
    "GPU free of other work meanwhile.",
    Options,
    nullptr,
    "autoprof calibrate\n"
    "autoprof calibrate --from=base.pftrace -o h200.json\n"
    "autoprof calibrate --show h200.json\n"
    "autoprof report --semantics autoprof-semantics.json base.pftrace"};
