// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    {"list", 0, nullptr,
     "list every probe and range, not only counts per file"},
    {"expect-none", 0, nullptr,
     "exit with 0 only if no BINARY has probes, to check a release"},
    PlainFormat,
};

} // namespace

const Manual commands::Sites = {
    "sites",
    "list the probes of a binary, to check its instrumentation",
    "autoprof sites [OPTIONS] BINARY...",
    "Lists the source files whose calls and loops have probes in a program, a "
    "shared library, an object file or a static library. Probes are inserted "
    "by the clang plugin, autoprof-nvcc or 'autoprof rewrite'. Nothing is run.",
    Options,
    nullptr,
    "autoprof sites ./train\n"
    "autoprof sites --list build/libmodel.so\n"
    "autoprof sites --expect-none build-release/train\n"
    "autoprof sites --format=json ./train | jq '.binaries[].files[].file'",
    "0 all files have probes; 1 one has none (likely reasons are printed); 2 "
    "wrong usage, or a file that cannot be read. With --expect-none: 0 no file "
    "has probes; 1 one "
    "has; 2 as above."};
