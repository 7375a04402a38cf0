// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    {"output", 'o', "OUT",
     "one file for all ranks, or, if it ends in a slash, a folder with a file "
     "per rank; default: standard output"},
    {"step", 0, "NAME", "as for 'autoprof report'"},
    Semantics,
};

} // namespace

const Manual commands::Summarize = {
    "summarize",
    "reduce each rank's trace to a few kilobytes, for very many ranks",
    "autoprof summarize [OPTIONS] TRACE...",
    "Writes the data that 'autoprof report' needs to compare a rank with "
    "others: its step times, its sites and waits, its limits, and what the "
    "trace lacks. A summary is a few kilobytes of JSON on one line. Each "
    "machine summarizes its own traces; 'autoprof report FOLDER' shows them "
    "together. docs/scale.md explains how to handle thousands of ranks.",
    Options,
    nullptr,
    "autoprof summarize rank0.pftrace -o rank0.summary.json\n"
    "autoprof summarize rank*.pftrace -o summaries/\n"
    "autoprof report summaries/",
    "2 if a trace could not be read; the others are summarized."};
