// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    {"max", 0, "N",
     "try at most N places, the most promising ones; default: 6"},
    {"site", 0, "TEXT",
     "only places that have TEXT in their name: train.cu:88"},
    {"runs", 'n', "N", "at most N runs of each change; default: 8"},
    {"precision", 0, "P",
     "stop when the 95 % confidence interval is within P % of the step; "
     "default: 1"},
    {"time", 0, "TIME", "start no run after this time: 90s, 5m"},
    {"step", 0, "NAME", "as for 'autoprof report'"},
    {"compare-output", 0, "FILE",
     "a file that the program writes, which is to be compared as standard "
     "output is; may be repeated"},
    {"at-least", 0, "P",
     "exit with 1 only if a change gains P % of the step; default: 3"},
    {"patch", 0, "FILE",
     "write the changes that gain time, leave the output equal, and are safe "
     "as far as the audit sees, as a patch of the sources; applies nothing"},
    {"build", 'p', "PATH",
     "for --patch: a compile_commands.json, or the folder that contains it; "
     "default: the nearest one at or above the current folder"},
    {"from", 0, "FILE",
     "for --patch: the try.json of an earlier run, in place of a program"},
    {"output", 'o', "FOLDER",
     "folder for try.json and base.pftrace; default: autoprof-try"},
    {"format", 0, "FORMAT", "terminal (the default), markdown, html or json",
     "terminal|markdown|html|json"},
    Color,
};

} // namespace

const Manual commands::Try = {
    "try",
    "measure what each change of a wait brings, without editing the program",
    "autoprof try [OPTIONS] -- PROGRAM [ARGUMENTS]\n"
    "autoprof try --patch=FILE --from=try.json [-p BUILD]",
    "Records the program, and then runs it with one wait after the other "
    "switched off in half of the run: synchronizations left out, copies to the "
    "host one step late, copies of pageable memory made through pinned memory, "
    "freed memory kept. Prints what each saves per step, next to what the "
    "recording predicts, and whether the program prints the same. The program "
    "is not changed and not compiled again. Waits are switched off where "
    "probes are, in lines of Python, and where recorded stacks lead. The "
    "changed runs may compute with old "
    "values, also what they write to files: they show what a change can bring, "
    "not whether it is correct. docs/try.md has the details.",
    Options,
    nullptr,
    "autoprof try -- ./train --steps 500\n"
    "autoprof try --site=train.py:88 --time=2m -- python train.py\n"
    "autoprof try --patch=waits.patch -p build -- ./train\n"
    "autoprof try --format=html -- ./train > try.html",
    "0 no change gains enough, 1 one does, 2 wrong usage or a failure."};
