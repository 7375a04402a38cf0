// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

namespace {

constexpr Option Options[] = {
    {"format", 0, "FORMAT", "text (the default) or json", "text|json"},
};

} // namespace

const Manual commands::Attach = {
    "attach",
    "start and stop recording a running program",
    "autoprof attach [OPTIONS] [PID [start|stop|status|dump]]",
    "Starts or stops recording in a program that was started with 'autoprof "
    "run --attach' (or --capture=manual, which begins without recording), or "
    "shows its status (the default). PID is the process id of the program or "
    "of 'autoprof run'. Without a PID, lists the processes that can be "
    "controlled. Only root and the user who owns a process can control it.\n"
    "\n"
    "'dump' makes a program that was started with --max-size copy the trace "
    "kept so far to a file next to it. Recording continues.\n"
    "\n"
    "The file is complete 0.2 seconds after recording was stopped.",
    Options,
    nullptr,
    "autoprof run --capture=manual -o server.pftrace -- ./server &\n"
    "autoprof attach\n"
    "autoprof attach 4711 start; sleep 5; autoprof attach 4711 stop",
    "0 success; 2 the process could not be reached."};
