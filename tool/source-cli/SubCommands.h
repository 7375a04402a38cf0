// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The subcommands that read sources, one file each. bin/autoprof also names
// them in tool/cli/SourceCommands.cpp, because its help lists them.
#ifndef AUTOPROF_SOURCE_CLI_SUBCOMMANDS_H
#define AUTOPROF_SOURCE_CLI_SUBCOMMANDS_H

#include "support/Command.h"

namespace autoprof::sources {

extern const support::Command AuditCommand, RewriteCommand, SourcesCommand,
    SubstituteCommand;

} // namespace autoprof::sources

#endif // AUTOPROF_SOURCE_CLI_SUBCOMMANDS_H
