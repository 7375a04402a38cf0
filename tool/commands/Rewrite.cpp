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
    {"diff", 0, nullptr, "print the changes as a diff and write nothing"},
    {"in-place", 0, nullptr,
     "change the sources themselves; requires that git can undo it, unless "
     "--force is given"},
    {"force", 0, nullptr,
     "with --in-place: even if git could not undo the changes"},
    {"symlink", 0, nullptr,
     "link files without probes into the tree instead of copying them"},
    {"root", 0, "DIR",
     "root of the project; default: the nearest folder above the first source "
     "with .git or .autoprof, otherwise CMake's source folder"},
    {"header-filter", 0, "REGEX",
     "headers to annotate, by absolute path; default: all headers of the "
     "project"},
    {"exclude", 0, "REGEX", "sources and headers to skip"},
    {"ranges", 0, "on|off",
     "also insert probes for functions and loops; default: on", "on|off"},
    {"exclude-files", 0, "GLOBS",
     "files to skip; this and the next four options override the project's "
     ".autoprof (docs/configuration.md)"},
    {"include-functions", 0, "GLOBS", "insert probes only in these functions"},
    {"exclude-functions", 0, "GLOBS", "functions to skip"},
    {"min-statements", 0, "N", "no range for functions with fewer statements"},
    {"step", 0, "NAME", "the range that is the program's step"},
    {"postpone", 0, "SITES",
     "an experiment: copies to the host return the value of the previous call, "
     "and synchronizations are omitted; sites by FILE:LINE or id "
     "(docs/experiment.md)"},
    {"verify", 0, nullptr,
     "parse every source again with its probes; default: only those with the "
     "riskiest forms"},
    {"format", 0, "FORMAT",
     "text (the default) or json: the manifest, which is also written to the "
     "tree as autoprof-sites.json",
     "text|json"},
};

constexpr OptionGroup Groups[] = {{"Options", Options}};

} // namespace

const Manual commands::Rewrite = {
    "rewrite",
    "write sources with probes, for any compiler or for reading",
    AUTOPROF_SOURCES_USAGE("rewrite"),
    "Copies the project's files to another folder, with probes around kernel "
    "launches and CUDA calls. With -DAUTOPROF=1 any compiler (nvcc, clang, "
    "g++) builds an instrumented program from them; without it the probes "
    "compile to nothing. The project itself is not changed.",
    Groups,
    "A source with errors is read in part: functions without errors get "
    "probes; the others are listed and left unchanged.",
    "autoprof rewrite -p build -o annotated\n"
    "cmake -S annotated -B build-annotated -DCMAKE_CUDA_FLAGS=-DAUTOPROF=1\n"
    "autoprof rewrite --diff -- nvcc -Iinclude -c train.cu",
    "0 success, even if some sources could not be read (they are listed, and "
    "copied unchanged); 2 wrong usage, or nothing could be done."};
