// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The subcommands that read sources, one file each. bin/autoprof also names
// them in tool/cli/SourceCommands.cpp, because its help lists them.
#pragma once

#include "support/Command.h"

#include "llvm/Support/raw_ostream.h"

namespace autoprof::sources {

extern const support::Command AuditCommand, PatchCommand, RewriteCommand,
    SourcesCommand, SubstituteCommand;

/// The schema of `autoprof sources --format=json`.
void describeSources(llvm::raw_ostream &Out);

} // namespace autoprof::sources
