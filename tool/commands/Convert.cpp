// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    {"output", 'o', "FOLDER", "default: the last argument"},
    {"step", 0, "NAME", "as for 'autoprof report'"},
    Window,
    Pid,
    Semantics,
};

constexpr OptionGroup Groups[] = {{"Options", Options}};

} // namespace

const Manual commands::Convert = {
    "convert",
    "convert recordings to tables",
    "autoprof convert [OPTIONS] TRACE... -o FOLDER\n"
    "autoprof convert [OPTIONS] TRACE... FOLDER",
    "Writes a recording, with the waits, exposed stalls and steps found in it, "
    "as CSV tables for DuckDB, Spark, Polars, or pandas: "
    "FOLDER/table=waits/rank=0/part-0.csv. A file gets its final name only "
    "when it is complete. A program without a rank has "
    "rank=__HIVE_DEFAULT_PARTITION__. docs/convert.md describes the tables.",
    Groups,
    nullptr,
    "autoprof convert rank*.pftrace -o tables/\n"
    "autoprof convert --window=2s:3s export.sqlite -o tables/",
    "2 if an input could not be converted; the others are converted."};
