// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    {"format", 0, "FORMAT", "text (the default) or json", "text|json"},
};

constexpr OptionGroup Groups[] = {{"Options", Options}};

} // namespace

const Manual commands::Attach = {
    "attach",
    "start and stop recording a running program",
    "autoprof attach [OPTIONS] [PID [start|stop|status|dump]]",
    "Asks a program that was started with 'autoprof run --attach' (or "
    "--capture=manual, which begins without recording) to start or stop "
    "recording, or how it stands (status, the default). PID is the program's, "
    "or that of 'autoprof run'. Without a PID, lists the processes that can be "
    "asked. Only their user and root may.\n"
    "\n"
    "dump has a program that was started with --max-size copy what it holds of "
    "the trace into a file beside it, and go on.\n"
    "\n"
    "What was recorded is in the file 0.2 seconds after it was stopped.",
    Groups,
    "Exit code: 0 fine, 2 the process could not be asked.",
    "autoprof run --capture=manual -o server.pftrace -- ./server &\n"
    "autoprof attach\n"
    "autoprof attach 4711 start; sleep 5; autoprof attach 4711 stop"};
