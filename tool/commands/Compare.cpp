// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    {"runs", 'n', "N", "at most N runs per side; default: 30"},
    {"min-runs", 0, "N", "at least N runs per side"},
    {"precision", 0, "P",
     "stop when the 95 % confidence interval is within P % of the estimate; "
     "default: 1"},
    {"time", 0, "TIME", "start no run after this time: 90s, 5m"},
    {"metric", 0, "METRIC", "step (the default) or wall: the whole process",
     "step|wall"},
    {"step", 0, "NAME",
     "what a step is: function:NAME, loop:FILE:LINE or range:NAME; default: as "
     "'report' finds it"},
    {"record-steps", 0, "FROM:TO",
     "record only these steps of the first runs; needs --step"},
    {"env", 0, "NAME=VALUE",
     "set a variable for both sides; may be repeated, like the next two"},
    {"base-env", 0, "NAME=VALUE", "set a variable for the base only"},
    {"new-env", 0, "NAME=VALUE", "set a variable for the new program only"},
    {"baseline", 0, "FILE",
     "compare with the runs of an earlier comparison, FILE, instead of running "
     "the base"},
    {"self-test", 0, nullptr,
     "compare a program with itself to measure its run-to-run variation"},
    {"from", 0, "FILE", "evaluate the runs in FILE again; run nothing"},
    {"compare-output", 0, nullptr,
     "also compare the standard output of both programs"},
    {"ignore-failure", 'i', nullptr,
     "also accept programs that exit with a code other than 0"},
    {"bisect", 0, nullptr,
     "exit with 125 if the new program cannot be run or fails, for 'git bisect "
     "run'"},
    {"output", 'o', "FOLDER",
     "folder for compare.json, base.pftrace and new.pftrace; default: "
     "autoprof-compare"},
    {"format", 0, "FORMAT", "terminal (the default), markdown or json",
     "terminal|markdown|json"},
    Color,
};

} // namespace

const Manual commands::Compare = {
    "compare",
    "run two programs alternately until it is clear which is faster",
    "autoprof compare [OPTIONS] -- ./base [ARGUMENTS] -- ./new [ARGUMENTS]\n"
    "autoprof compare [OPTIONS] --new-env=NAME=VALUE -- ./program\n"
    "autoprof compare [OPTIONS] --baseline=FILE -- ./new\n"
    "autoprof compare [OPTIONS] --self-test -- ./program",
    "Runs both programs alternately (A B B A ...) and compares their step "
    "times. The first run of each is recorded to find the steps and is not "
    "compared; the others are not recorded. A change is reported only if it "
    "exceeds the variation between runs of one program; the launch cost of "
    "each process is taken into account. It stops when the answer is clear or "
    "precise enough. A program without steps is timed as a whole.",
    Options,
    nullptr,
    "autoprof compare -- ./train --loss print -- ./train --loss deferred\n"
    "taskset -c 2-5 autoprof compare --precision=0.5% -- ./old -- ./new\n"
    "autoprof compare --self-test -- ./train\n"
    "autoprof diff autoprof-compare/compare.json\n"
    "git bisect run sh -c 'make || exit 125; exec autoprof compare --bisect -- "
    "\\\n"
    "  /path/to/good/train -- ./train'",
    "0 not slower, 1 slower, 2 wrong usage or a failure."};
