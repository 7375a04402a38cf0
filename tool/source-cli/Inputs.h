// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The translation units on which a subcommand works: the options and arguments
// that all subcommands share.
#pragma once

#include "compilation/Unit.h"
#include "source-cli/SourceTask.h"
#include "support/Command.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace autoprof::sources {

struct Inputs {
  support::Arguments Options; ///< Positional: the FILEs.
  std::vector<Unit> Units;
  std::vector<std::string> Databases; ///< The databases that were read.
  /// The Databases that had the command of a unit; absolute.
  std::vector<std::string> CommandsFrom;
  std::vector<std::string> BuildToolSources; ///< Absolute; not read.
  /// The FILEs that do not exist, as named. Units has them, too.
  std::vector<std::string> Missing;
  bool Guessed = false; ///< Some FILEs are in no database.
  bool Whole = false;   ///< All sources of a database, not chosen FILEs.
  RunOptions Run;
  std::vector<std::string> Notes; ///< Notes for the user, one per line.
};

/// Printed if a source of Inputs::Guessed lacks a header.
inline constexpr char HeaderHint[] =
    "autoprof: headers were not found; name the build folder with -p, their "
    "folders with -I, or the compiler's command after --\n";

/// What to do if some of the FILEs do not exist.
enum class MissingFiles {
  Refuse, ///< Read nothing.
  Fail    ///< Read the others; the missing ones are Inputs::Missing.
};

/// Reads the arguments of a subcommand that takes the shared options of
/// commands/Shared.h among others, or none of them. An error is one sentence
/// with the remedy.
llvm::Expected<Inputs>
readInputs(llvm::ArrayRef<llvm::StringRef> Args, const support::Manual &Text,
           MissingFiles IfMissing = MissingFiles::Refuse);

} // namespace autoprof::sources
