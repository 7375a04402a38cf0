// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    {"baseline", 0, "FILE", "default: .autoprof-baseline"},
    {"update", 0, nullptr, "write FILE from the traces instead of comparing"},
    {"noise", 0, "FILE",
     "how much runs of this program vary, as 'autoprof compare --self-test' "
     "measured it; with --update it goes into the baseline. Then fewer "
     "recordings are needed"},
    {"strict", 0, nullptr, "fail for what may be chance, too"},
    {"max-new-wait", 0, "P",
     "a site may begin to wait for P % of the step; default 0.1"},
    {"max-more-stall", 0, "P",
     "a site's exposed stall may grow by P % of the step; default 1"},
    {"max-more-wait", 0, "P",
     "a site's wait may grow by P % of the step; default: by any, since "
     "waiting while the GPU works costs nothing"},
    {"max-slowdown", 0, "P", "the step may become P % slower; default 5"},
    {"format", 0, "FORMAT",
     "terminal (the default), github (annotations), markdown or json",
     "terminal|github|markdown|json"},
    OutputFile,
    {"step", 0, "NAME",
     "count steps by function:NAME, loop:FILE:LINE or range:NAME; default: the "
     "baseline's"},
    MaxChars,
    Window,
    Pid,
    Color,
    Semantics,
    {"all"},
    {"exit-code"}, // As report and diff take them; without effect here.
};

constexpr OptionGroup Groups[] = {{"Options", Options}};

} // namespace

const Manual commands::Check = {
    "check",
    "for CI: fails when a wait is new, or a stall or the step worse",
    "autoprof check [OPTIONS] TRACE...\n"
    "autoprof check [OPTIONS] --update TRACE...",
    "Compares the steps of a recording with a baseline, a small text file in "
    "your repository. Exit code 1 when a site that the baseline does not know "
    "waits in the steps, when the GPU idles longer behind one that it knows, "
    "or when the steps became slower: by more than is allowed, and by more "
    "than runs differ anyway. One line each, with file and line. Of checks of "
    "an unchanged program at most 1 % fail by chance; what is beyond a limit "
    "but may be chance is a warning.\n"
    "\n"
    "Several traces are repeated runs of one program (three or more on both "
    "sides tell chance from change), or the ranks of one run. On another GPU "
    "than the baseline's, times are not compared, only new waits are looked "
    "for.",
    Groups,
    nullptr,
    "autoprof check --update run1.pftrace run2.pftrace run3.pftrace\n"
    "autoprof check new.pftrace\n"
    "autoprof check --format=github --max-slowdown=2 new*.pftrace"};
