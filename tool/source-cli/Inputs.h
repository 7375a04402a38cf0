// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which translation units a subcommand works on: the options and arguments
// that all of them share.
#ifndef AUTOPROF_SOURCE_CLI_INPUTS_H
#define AUTOPROF_SOURCE_CLI_INPUTS_H

#include "compilation/Unit.h"
#include "source-cli/SourceTask.h"
#include "support/Command.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace autoprof::sources {

/// Their part of a usage line and of a help text.
#define AUTOPROF_INPUT_USAGE(COMMAND)                                          \
  "Usage: autoprof " COMMAND " [OPTIONS] -p BUILD [FILE...]\n"                 \
  "       autoprof " COMMAND " [OPTIONS] FILE...\n"                            \
  "       autoprof " COMMAND " [OPTIONS] -- COMPILER ARGUMENTS\n"
#define AUTOPROF_INPUT_HELP                                                    \
  "  -p, --build=PATH  a compile_commands.json, or the folder that has one;\n" \
  "                    FILEs then choose among its files; default: the\n"      \
  "                    nearest one at or above the FILEs, or this folder.\n"   \
  "                    A FILE that is a folder stands for its .cu files\n"     \
  "  -I, --include=DIR, -D, --define=NAME[=VALUE]  for FILEs that are in no\n" \
  "                    compile_commands.json\n"                                \
  "  -j, --jobs=N      files read at a time; default: one for each CPU\n"      \
  "  --time-limit=S    seconds of CPU time for each file; default: 60; 0: "    \
  "none\n"

struct Inputs {
  support::Arguments Options; ///< Positional: the FILEs.
  std::vector<Unit> Units;
  std::vector<std::string> Databases; ///< Those that were read.
  bool Guessed = false;               ///< Some FILEs are in none of them.
  RunOptions Run;
  std::vector<std::string> Notes; ///< What the user should know, a line each.
};

/// Reads a subcommand's arguments: those above and its own options, `Known`.
/// An error says in one sentence what to do.
llvm::Expected<Inputs> readInputs(llvm::ArrayRef<llvm::StringRef> Args,
                                  llvm::ArrayRef<support::Option> Known);

} // namespace autoprof::sources

#endif // AUTOPROF_SOURCE_CLI_INPUTS_H
