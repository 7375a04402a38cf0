// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {PlainFormat};

} // namespace

const Manual commands::Doctor = {
    "doctor",
    "check this machine: driver, CUPTI, toolkit, plugin",
    "autoprof doctor [OPTIONS]",
    "Checks this machine for everything autoprof needs. Each part is fine "
    "(ok), prevents some commands from working (warning), or prevents "
    "recording (problem); warnings and problems come with a remedy. Nothing is "
    "changed and no GPU work is started. A machine without a GPU gets warnings "
    "only, because traces and sources can still be read there.",
    Options,
    nullptr,
    "autoprof doctor\n"
    "autoprof doctor --format=json | jq '.checks[] | select(.state != "
    "\"ok\")'",
    "0 no problem; 1 a problem was found."};
