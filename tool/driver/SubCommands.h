// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The subcommands that read sources: one file each. bin/autoprof names them
// too, in tool/cli/SourceCommands.cpp, because its help lists them.
#ifndef AUTOPROF_DRIVER_SUBCOMMANDS_H
#define AUTOPROF_DRIVER_SUBCOMMANDS_H

#include "cli/Command.h"

namespace autoprof::driver {

extern const cli::Command AuditCommand, RewriteCommand, SourcesCommand,
    SubstituteCommand;

} // namespace autoprof::driver

#endif // AUTOPROF_DRIVER_SUBCOMMANDS_H
