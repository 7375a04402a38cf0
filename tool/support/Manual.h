// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of a subcommand, as one table: arguments are parsed by it, and
// help and completions are generated from it.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

namespace autoprof::support {

/// An option: "--name", and "-n" if Short is not 0.
struct Option {
  const char *Name;
  char Short = 0;
  /// The name of its value in help, or null: it takes none.
  const char *Value = nullptr;
  /// A paragraph, in which '\n' begins a new line. Null: not for people.
  const char *Help = nullptr;
  /// The values that it takes, separated by '|'; null: any.
  const char *Choices = nullptr;
};

/// Texts are paragraphs separated by empty lines; those that begin with a blank
/// keep their lines, the others are filled.
struct Manual {
  const char *Name;
  const char *Purpose;     ///< One line for `autoprof --help`.
  const char *Usage;       ///< Lines.
  const char *Description; ///< A text.
  llvm::ArrayRef<Option> Options;
  const char *Notes;    ///< A text, or null: what comes after the options.
  const char *Examples; ///< Lines, or null.
  /// A paragraph, or null: as everywhere (Command.h).
  const char *ExitCode = nullptr;
  const char *Heading = "Options";
  const char *MoreHeading = nullptr;
  llvm::ArrayRef<Option> MoreOptions = {};

  auto all() const { return llvm::concat<const Option>(Options, MoreOptions); }
};

} // namespace autoprof::support
