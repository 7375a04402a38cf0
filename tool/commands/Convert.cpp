// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    {"output", 'o', "OUT",
     "a file, or, with a slash at its end, a folder; -: standard output. "
     "Without it the last argument is the output"},
    {"to", 0, "FORMAT", "pftrace, kineto, nsys, csv or jsonl",
     "pftrace|kineto|nsys|csv|jsonl"},
    {"step", 0, "NAME", "as for 'autoprof report'"},
    Window,
    Semantics,
};

constexpr OptionGroup Groups[] = {{"Options", Options}};

} // namespace

const Manual commands::Convert = {
    "convert",
    "write recordings in the formats of other tools, and read them",
    "autoprof convert [OPTIONS] TRACE... -o OUT\n"
    "autoprof convert [OPTIONS] TRACE... OUT",
    "Writes a recording, with the waits, exposed stalls and steps that were "
    "found in it, in another format. The name of OUT tells which, or --to:\n"
    "\n"
    "  pftrace  .pftrace         autoprof's own; opens in ui.perfetto.dev\n"
    "  kineto   .json, .json.gz  as PyTorch's profiler writes it: "
    "HolisticTrace-\n"
    "                            Analysis, TensorBoard, chrome://tracing\n"
    "  nsys     .sqlite          as Nsight Systems exports, with AUTOPROF_ "
    "tables\n"
    "  csv, jsonl                tables in a folder, by rank, for DuckDB, "
    "Spark,\n"
    "                            Polars: OUT/table=waits/rank=0/part-0.csv\n"
    "\n"
    "With several traces, one of each rank, OUT is a folder, made where it is "
    "missing: it gets a file for each rank. A file appears under its name when "
    "it is whole. docs/convert.md describes what each format holds.",
    Groups,
    "Exit code: 2 when an input could not be converted; the others are.",
    "autoprof convert base.pftrace -o base.json.gz\n"
    "autoprof convert --to=kineto rank*.pftrace -o traces/\n"
    "autoprof convert --to=csv rank*.pftrace -o tables/\n"
    "autoprof convert profiler.json.gz -o base.pftrace"};
