// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {PlainFormat};

constexpr OptionGroup Groups[] = {{"Options", Options}};

} // namespace

const Manual commands::Doctor = {
    "doctor",
    "check this machine: driver, CUPTI, permissions, toolkit, plugin",
    "autoprof doctor [OPTIONS]",
    "Checks what autoprof needs of this machine, and prints for each part "
    "whether it is fine (ok), whether some commands will not work (warning), "
    "or whether recording will fail (problem), with a remedy. Nothing is "
    "changed and no GPU work is started. A machine without a GPU gets "
    "warnings: reading traces and sources works there.",
    Groups,
    "Exit code: 0 no problem was found; 1 there is a problem.",
    "autoprof doctor\n"
    "autoprof doctor --format=json | jq '.checks[] | select(.state != "
    "\"ok\")'"};
