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
     "where the annotated tree goes; again to the same folder writes only what "
     "has changed"},
    {"diff", 0, nullptr, "print the changes as a diff and write nothing"},
    {"in-place", 0, nullptr,
     "change the sources themselves; git must be able to undo it, unless "
     "--force is given"},
    {"force", 0, nullptr,
     "with --in-place: also where git could not undo the changes"},
    {"symlink", 0, nullptr,
     "link files without probes into the tree, do not copy"},
    {"root", 0, "DIR",
     "the project; default: the nearest folder above the first source with "
     ".git or .autoprof, else the one that CMake was given"},
    {"header-filter", 0, "REGEX",
     "headers to annotate, by absolute path; default: all of the project"},
    {"exclude", 0, "REGEX", "sources and headers to leave alone"},
    {"ranges", 0, "on|off", "probes for functions and loops, too; default: on",
     "on|off"},
    {"exclude-files", 0, "GLOBS",
     "files to leave alone; this and the next four instead of what the "
     "project's .autoprof has (docs/configuration.md)"},
    {"include-functions", 0, "GLOBS", "only these functions get probes"},
    {"exclude-functions", 0, "GLOBS", "functions to leave alone"},
    {"min-statements", 0, "N", "functions with fewer statements get no range"},
    {"step", 0, "NAME", "the range that is the program's step"},
    {"postpone", 0, "SITES",
     "an experiment: copies to the host give the value of the call before, "
     "synchronizations are left out; sites by FILE:LINE or id "
     "(docs/experiment.md)"},
    {"verify", 0, nullptr,
     "parse every source once more with its probes; default: only those with "
     "the riskiest forms"},
    {"format", 0, "FORMAT",
     "text (the default), or json: the manifest, which also lies in the tree "
     "as autoprof-sites.json",
     "text|json"},
};

constexpr OptionGroup Groups[] = {{"Options", Options}};

} // namespace

const Manual commands::Rewrite = {
    "rewrite",
    "write annotated sources, for nvcc or for reading",
    AUTOPROF_SOURCES_USAGE("rewrite"),
    "Writes the project's files with probes around kernel launches and CUDA "
    "calls into another folder. With -DAUTOPROF=1 any compiler (nvcc, clang, "
    "g++) makes an instrumented program of them; without it the probes vanish. "
    "The project itself is not touched.",
    Groups,
    "A source with errors is read in part: functions that have none get "
    "probes, the others are listed and stay as they are.\n"
    "\n"
    "Exit code: 0 fine, also when some sources could not be read (they are "
    "listed, and copied as they are); 2 wrong usage, or nothing could be done.",
    "autoprof rewrite -p build -o annotated\n"
    "cmake -S annotated -B build-annotated -DCMAKE_CUDA_FLAGS=-DAUTOPROF=1\n"
    "autoprof rewrite --diff -- nvcc -Iinclude -c train.cu"};
