// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of every subcommand, as data: one file per table; and the help
// and completions generated from them. Nothing here needs clang, so
// bin/autoprof has the tables of the subcommands that read sources, too.
#pragma once

#include "support/Manual.h"

#include "llvm/Support/raw_ostream.h"

namespace autoprof::commands {

extern const support::Manual Run, Attach, Report, Diff, Compare, Try, Check,
    Convert, Summarize, Explain, Calibrate, Audit, Rewrite, Sources, Sites,
    Doctor;

/// bin/autoprof-nvcc, which is not a subcommand.
extern const support::Manual Nvcc;

/// In the order of `autoprof --help`.
llvm::ArrayRef<const support::Manual *> all();

/// `autoprof --help`.
void printOverview(llvm::raw_ostream &OS);
/// The output of a subcommand's --help.
void printHelp(llvm::raw_ostream &OS, const support::Manual &M);

/// A script for bash.
void printCompletion(llvm::raw_ostream &OS);

} // namespace autoprof::commands
