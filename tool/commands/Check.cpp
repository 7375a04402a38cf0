// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    {"baseline", 0, "FILE", "default: .autoprof-baseline"},
    {"update", 0, nullptr, "write FILE from the traces instead of comparing"},
    {"noise", 0, "FILE",
     "run-to-run variation of this program, as measured by 'autoprof compare "
     "--self-test'; with --update it is stored in the baseline. Fewer "
     "recordings are needed then"},
    {"strict", 0, nullptr, "also fail for changes that may be chance"},
    {"only", 0, "RULE[,RULE...]",
     "check only new-wait, more-stall or slowdown"},
    {"max-new-wait", 0, "P",
     "largest wait of a new site, in percent of the baseline's step; default: "
     "0.1"},
    {"max-more-stall", 0, "P",
     "largest growth of a site's exposed stall, in percent of the baseline's "
     "step; default: 1"},
    {"max-slowdown", 0, "P",
     "largest slowdown of the step, in percent; default: 5"},
    {"format", 0, "FORMAT",
     "one of " AUTOPROF_FORMAT_NAMES "|json|github (annotations); default: "
     "terminal",
     AUTOPROF_FORMAT_NAMES "|json|github"},
    OutputFile,
    {"step", 0, "NAME",
     "count steps by function:NAME, loop:FILE:LINE or range:NAME; default: the "
     "baseline's"},
    BaseStep,
    MaxChars,
    Window,
    Pid,
    Color,
    Semantics,
    {"all"},
    {"exit-code"}, // As report and diff take them; without effect here.
};

} // namespace

const Manual commands::Check = {
    "check",
    "fail in CI when a wait is new, a stall grows or steps get slower",
    "autoprof check [OPTIONS] TRACE...\n"
    "autoprof check [OPTIONS] --update TRACE...",
    "Compares the steps of a recording with a baseline, a small text file in "
    "your repository. The exit code is 1 if a site that is not in the baseline "
    "waits in the steps, if the exposed stall of a known site grew, or if the "
    "steps became slower, in each case by more than the limit and by more than "
    "the variation between runs. A stall that grew by less than the steps "
    "became shorter is only a note. Each failure is one line with file and "
    "line number. At most 1 % of checks of an unchanged program fail by "
    "chance. A "
    "change beyond a limit that may be chance is a warning.\n"
    "\n"
    "Several traces are either repeated runs of one program (with three or "
    "more on both sides, changes can be told from chance) or the ranks of one "
    "run. On a GPU other than the baseline's, times are not compared; only new "
    "waits are reported.",
    Options,
    nullptr,
    "autoprof check --update run1.pftrace run2.pftrace run3.pftrace\n"
    "autoprof check new.pftrace\n"
    "autoprof check --format=github --max-slowdown=2 new*.pftrace"};
