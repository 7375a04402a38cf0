// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    {"output", 'o', "OUT",
     "a file for all, or, with a slash at its end, a folder with a file for "
     "each rank; default: standard output"},
    {"step", 0, "NAME", "as for 'autoprof report'"},
    Semantics,
};

constexpr OptionGroup Groups[] = {{"Options", Options}};

} // namespace

const Manual commands::Summarize = {
    "summarize",
    "a few kilobytes of each rank, for runs of very many",
    "autoprof summarize [OPTIONS] TRACE...",
    "Writes what 'autoprof report' needs of a rank to compare it with others: "
    "the times of its steps, its sites and waits, what limits it, and what the "
    "trace lacks; a few kilobytes of JSON on one line. Each machine summarizes "
    "its own traces; 'autoprof report FOLDER' shows them together. "
    "docs/scale.md says how to handle thousands of ranks.",
    Groups,
    "Exit code: 2 when a trace could not be read; the others are summarized.",
    "autoprof summarize rank0.pftrace -o rank0.summary.json\n"
    "autoprof summarize rank*.pftrace -o summaries/\n"
    "autoprof report summaries/"};
