// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the subcommands share. Each is in a file of its own and is a thin layer
// over tool/trace, tool/analysis and tool/report.
#pragma once

#include "config/Suggestion.h"
#include "support/Manual.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace autoprof::support {

/// Exit codes, everywhere except `run`, which passes on the program's.
enum : int {
  Fine = 0,
  Findings = 1, ///< With --exit-code, and for a failed check.
  Failure = 2   ///< Wrong usage, or the tool could not do its work.
};

struct Arguments {
  llvm::StringMap<std::string> Options; ///< By name without dashes.
  /// All that were given, in order, for options that may come several times.
  std::vector<std::pair<std::string, std::string>> Given;
  std::vector<std::string> Positional;
  bool has(llvm::StringRef Name) const { return Options.count(Name); }
  std::string get(llvm::StringRef Name, llvm::StringRef Default = "") const {
    auto It = Options.find(Name);
    return It == Options.end() ? Default.str() : It->second;
  }
};

struct Command {
  const Manual &Text;
  int (*RunUnparsed)(llvm::ArrayRef<llvm::StringRef> Args);
  int (*Run)(Arguments &Args) = nullptr; ///< Where that is null.
};

/// Reads --name=value, --name value, -n value, -nvalue. With `UntilProgram`
/// everything from the first argument that is not an option (or after "--") on
/// is positional. An error is one sentence that names the nearest known option
/// or the values that an option takes.
llvm::Expected<Arguments> parse(llvm::ArrayRef<llvm::StringRef> Args,
                                const Manual &Text, bool UntilProgram = false);

/// Prints "autoprof: MESSAGE" and returns Failure.
int fail(const llvm::Twine &Message);
int fail(llvm::Error E);
/// The same for wrong usage: adds where help is, except to a mistake in the
/// project's file.
int failUsage(const Command &C, const llvm::Twine &Message);
int failUsage(const Command &C, llvm::Error E);

/// At the end of main: writes what is left of standard output. Returns `Code`,
/// or Failure when it could not be written.
int finishOutput(int Code);

} // namespace autoprof::support
