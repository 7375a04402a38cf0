// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

const Manual commands::Doctor = {
    "doctor",
    "check this machine: driver, CUPTI, toolkit, plugin",
    "autoprof doctor",
    "Checks this machine for everything autoprof needs. Each part is fine "
    "(ok), prevents some commands from working (warning), or prevents "
    "recording (problem); warnings and problems come with a remedy. Nothing is "
    "changed and no GPU work is started. A machine without a GPU gets warnings "
    "only, because traces and sources can still be read there.",
    {},
    nullptr,
    nullptr,
    "0 no problem; 1 a problem was found."};
