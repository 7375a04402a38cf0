// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    {"output", 'o', "OUT",
     "a file, or a folder if it ends in a slash; -: standard output; default: "
     "the last argument"},
    {"to", 0, "FORMAT", "kineto or csv", "kineto|csv"},
    {"step", 0, "NAME", "as for 'autoprof report'"},
    Window,
    Pid,
    Semantics,
};

} // namespace

const Manual commands::Convert = {
    "convert",
    "convert recordings to the formats of other tools",
    "autoprof convert [OPTIONS] TRACE... -o OUT\n"
    "autoprof convert [OPTIONS] TRACE... OUT",
    "Writes a recording in another format, with the waits, exposed stalls and "
    "steps found in it. The extension of OUT, or --to, selects the format:\n"
    "\n"
    "  kineto   .json, .json.gz  as PyTorch's profiler writes it: "
    "HolisticTrace-\n"
    "                            Analysis, TensorBoard, ui.perfetto.dev\n"
    "  csv                       tables in a folder, by rank, for DuckDB, "
    "Spark,\n"
    "                            Polars: OUT/table=waits/rank=0/part-0.csv\n"
    "\n"
    "With several traces, one per rank, OUT is a folder with a file for each "
    "rank; it is created if missing. A file gets its final name only when it "
    "is complete. In the folder of tables, a program without a rank has "
    "rank=__HIVE_DEFAULT_PARTITION__. docs/convert.md describes the contents "
    "of each format.",
    Options,
    nullptr,
    "autoprof convert base.pftrace -o base.json.gz\n"
    "autoprof convert --to=kineto rank*.pftrace -o traces/\n"
    "autoprof convert --to=csv rank*.pftrace -o tables/\n"
    "autoprof convert --window=2s:3s export.sqlite -o part.json.gz",
    "2 if an input could not be converted; the others are converted."};
