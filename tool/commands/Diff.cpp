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
    BaseStep,
    Window,
    Pid,
    AllSites,
    Color,
    Semantics,
    {"noise", 0, "FILE",
     "run-to-run variation of this program, as measured by 'autoprof compare "
     "--self-test'"},
    {"exit-code", 0, nullptr,
     "exit with 1 if the steps became significantly slower"},
};

} // namespace

const Manual commands::Diff = {
    "diff",
    "compare recordings made before and after a change",
    "autoprof diff [OPTIONS] BASE NEW\n"
    "autoprof diff [OPTIONS] BASE... -- NEW...\n"
    "autoprof diff [OPTIONS] COMPARISON",
    "Compares recordings of one program: which sites started or stopped "
    "waiting, how the CPU's lead changed, and whether the step time changed "
    "significantly.\n"
    "\n"
    "One recording per side shows what the program does differently. It does "
    "not show whether the program became faster, because run times vary. With "
    "several recordings per side (two groups separated by --), a change is "
    "tested against the variation between the runs of each side, by Student's "
    "t-test of the runs' medians. 'autoprof compare' makes the runs itself and "
    "writes a "
    "file, COMPARISON, that names the runs and the recordings.",
    Options,
    nullptr,
    "autoprof diff base.pftrace new.pftrace\n"
    "autoprof diff --format=markdown base.pftrace new.pftrace\n"
    "autoprof diff a1.pftrace a2.pftrace a3.pftrace -- b*.pftrace"};
