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
    {"predicted", 0, nullptr,
     "fail where the steps cannot be compared with what the base predicted for "
     "them (docs/experiment.md)"},
    {"noise", 0, "FILE",
     "how much runs of this program differ, as 'autoprof compare --self-test' "
     "measured it"},
    {"exit-code", 0, nullptr,
     "exit with 1 when the steps became significantly slower"},
};

constexpr OptionGroup Groups[] = {{"Options", Options}};

} // namespace

const Manual commands::Diff = {
    "diff",
    "two recordings, before and after",
    "autoprof diff [OPTIONS] BASE NEW\n"
    "autoprof diff [OPTIONS] BASE... -- NEW...\n"
    "autoprof diff [OPTIONS] COMPARISON",
    "Compares recordings of one program: which sites wait or no longer do, how "
    "the CPU's lead changed, and whether the steps became faster beyond "
    "chance.\n"
    "\n"
    "What the program does is certain from one recording per side. Whether it "
    "became faster is not: runs of one program differ. With several recordings "
    "on both sides (two groups around --) a change has to stand out from how "
    "much the runs of each side vary: rank sums of the runs' medians with five "
    "or more, else Welch's t-test. 'autoprof compare' makes the runs itself "
    "and writes a file, COMPARISON, that names them and the recordings.",
    Groups,
    nullptr,
    "autoprof diff base.pftrace new.pftrace\n"
    "autoprof diff --format=markdown base.pftrace new.pftrace\n"
    "autoprof diff a1.pftrace a2.pftrace a3.pftrace -- b*.pftrace"};
