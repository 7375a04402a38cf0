// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Help, man pages and completions, generated from the tables.
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

/// autoprof(1). `Date`: of the version, as in 2026-01-31.
void printMainPage(llvm::raw_ostream &OS, llvm::StringRef Date);
/// The man page of a subcommand, or of autoprof-nvcc.
void printManPage(llvm::raw_ostream &OS, const support::Manual &M,
                  llvm::StringRef Date);

/// A script for `Shell`: bash, zsh or fish. False: there is none.
bool printCompletion(llvm::raw_ostream &OS, llvm::StringRef Shell);

/// The paragraphs of a text; see support::Manual.
llvm::SmallVector<llvm::StringRef> paragraphs(const char *Text);
/// The words of a usage line or an example that name the page of `M`.
std::string titleOf(const support::Manual &M);

} // namespace autoprof::commands

#endif // AUTOPROF_COMMANDS_TEXT_H
