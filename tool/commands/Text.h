// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Help and completions, generated from the tables.
#ifndef AUTOPROF_COMMANDS_TEXT_H
#define AUTOPROF_COMMANDS_TEXT_H

#include "support/Manual.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace autoprof::commands {

/// `autoprof --help`.
void printOverview(llvm::raw_ostream &OS);
/// The output of a subcommand's --help.
void printHelp(llvm::raw_ostream &OS, const support::Manual &M);

/// A script for bash.
void printCompletion(llvm::raw_ostream &OS);

} // namespace autoprof::commands

#endif // AUTOPROF_COMMANDS_TEXT_H
