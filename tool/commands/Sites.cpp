// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    {"list", 0, nullptr, "every probe and range, not only counts per file"},
    PlainFormat,
};

constexpr OptionGroup Groups[] = {{"Options", Options}};

} // namespace

const Manual commands::Sites = {
    "sites",
    "which probes a binary has: whether instrumenting it worked",
    "autoprof sites [OPTIONS] BINARY...",
    "Lists the files whose calls and loops have probes in a program, a shared "
    "library, an object file or a static library, which the clang plugin, "
    "autoprof-nvcc or 'autoprof rewrite' put there. Nothing is run.",
    Groups,
    "Exit code: 0 there are probes; 1 there are none, with the likely reasons; "
    "2 wrong usage, or a file that cannot be read.",
    "autoprof sites ./train\n"
    "autoprof sites --list build/libmodel.so\n"
    "autoprof sites --format=json ./train | jq '.files[].file'"};
