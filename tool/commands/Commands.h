// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of every subcommand, as data: one file per table. Nothing here
// needs clang, so bin/autoprof has the tables of the subcommands that read
// sources, too.
#ifndef AUTOPROF_COMMANDS_COMMANDS_H
#define AUTOPROF_COMMANDS_COMMANDS_H

#include "support/Manual.h"

namespace autoprof::commands {

extern const support::Manual Run, Attach, Report, Diff, Compare, Try, Check,
    Convert, Summarize, Explain, Calibrate, Audit, Rewrite, Sources, Sites,
    Doctor;

/// bin/autoprof-nvcc, which is not a subcommand.
extern const support::Manual Nvcc;

/// In the order of `autoprof --help`.
llvm::ArrayRef<const support::Manual *> all();

} // namespace autoprof::commands

#endif // AUTOPROF_COMMANDS_COMMANDS_H
