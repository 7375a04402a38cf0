// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    Build,
    Include,
    Define,
    Jobs,
    TimeLimit,
    {"output", 'o', "DIR",
     "folder for the annotated tree; if it exists, only changed files are "
     "written"},
    {"root", 0, "DIR",
     "root of the project; default: the nearest folder above the first source "
     "with .git or .autoprof, otherwise CMake's source folder"},
};

} // namespace

const Manual commands::Rewrite = {
    "rewrite",
    "write sources with probes, for any compiler or for reading",
    AUTOPROF_SOURCES_USAGE("rewrite"),
    "Copies the project's files to another folder, with probes around kernel "
    "launches and CUDA calls. With -DAUTOPROF=1 any compiler (nvcc, clang, "
    "g++) builds an instrumented program from them; without it the probes "
    "compile to nothing. The project itself is not changed.",
    Options,
    "A source with errors is read in part: functions without errors get "
    "probes; the others are listed and left unchanged.",
    "autoprof rewrite -p build -o annotated\n"
    "cmake -S annotated -B build-annotated -DCMAKE_CUDA_FLAGS=-DAUTOPROF=1\n"
    "autoprof rewrite -o annotated -- nvcc -Iinclude -c train.cu",
    "0 success, even if some sources could not be read (they are listed, and "
    "copied unchanged); 2 wrong usage, or nothing could be done."};
