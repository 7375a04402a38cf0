// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A project's configuration: the keys of the file `.autoprof`, which are also
// arguments of the plugin (docs/configuration.md). One row of configKeys() is
// all that a key needs.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace autoprof {

struct Config {
  std::optional<std::string> Root; ///< A folder.
  /// Globs: on paths relative to the root, and on qualified names.
  std::vector<std::string> ExcludeFiles, IncludeFunctions, ExcludeFunctions;
  bool Ranges = true;
  unsigned MinStatements = 2; ///< Of a function that gets a range.
  std::string Step;           ///< See StepName.h; "": found by rules.
  /// Of `audit:`; globs of rules as --checks takes them, a regex on paths, and
  /// a severity or "never".
  std::optional<std::string> AuditChecks, AuditWarningsAsErrors,
      AuditHeaderFilter, AuditFailOn;
};

struct ConfigKey {
  llvm::StringRef Name;
  bool IsList = false; ///< Takes several values.
  /// Replaces what the key had. An error is one sentence.
  llvm::Error (*Set)(llvm::StringRef Name, llvm::ArrayRef<std::string> Values,
                     Config &Out) = nullptr;
};

llvm::ArrayRef<ConfigKey> configKeys();

/// Null: there is none.
const ConfigKey *findConfigKey(llvm::StringRef Name);

/// Sets a key as a command line gives it: values of a list are separated by
/// commas.
llvm::Error setConfig(const ConfigKey &Key, llvm::StringRef Value, Config &Out);

/// The nearest `.autoprof` at or above `Folder`, or "". It also marks the
/// project's root, and may be empty for that purpose; a folder of that name
/// only marks the root.
std::string findConfigFile(llvm::StringRef Folder);

/// Reads a file's text, YAML, into `Out`. `Path` is for messages, and folders
/// are relative to its own. Errors begin with path and line.
llvm::Error parseConfig(llvm::StringRef Text, llvm::StringRef Path,
                        Config &Out);

/// The configuration that holds for files in `Folder`; the defaults if there is
/// no configuration file. Errors are of the kind ErrorOf<Config>.
llvm::Expected<Config> loadConfig(llvm::StringRef Folder);

} // namespace autoprof
