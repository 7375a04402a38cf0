// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    Build, Include, Define, Jobs, TimeLimit, PlainFormat,
};

} // namespace

const Manual commands::Sources = {
    "sources",
    "check which source files autoprof can read",
    AUTOPROF_SOURCES_USAGE("sources"),
    "Reads source files with clang 22, as the other commands do, whichever "
    "compiler they are written for. Lists the files that can be read, those "
    "that can be read in part (functions without errors), and those that "
    "cannot, with the first error. Nothing is written.",
    Options,
    nullptr,
    "autoprof sources -p build\n"
    "autoprof sources -- nvcc -std=c++17 -Iinclude -c train.cu",
    "0 all files were read; 1 some were not, or only in part; 2 wrong usage."};
