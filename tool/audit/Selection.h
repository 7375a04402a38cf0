// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The selection of findings that the user wants, and of those that fail the
// run. The command line decides, otherwise the nearest `.autoprof` above the
// file, otherwise everything is selected. For a finding, the configuration of
// its file applies; whether a header is examined depends on that of the main
// file.
#pragma once

#include "audit/Finding.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Regex.h"

#include <vector>

namespace autoprof::audit {

/// "-*,autoprof-sync-*": globs, separated by commas or newlines; the last one
/// that matches a name decides, and a leading '-' excludes names.
class NameGlobs {
  struct Glob {
    bool Takes;
    llvm::Regex Pattern;
  };
  std::vector<Glob> All;

public:
  explicit NameGlobs(llvm::StringRef Text);
  bool contains(llvm::StringRef Name) const;
};

/// The globs that match no rule, without leading '-'.
std::vector<llvm::StringRef> unknownRules(llvm::StringRef Globs);

/// The choices of a command line or a file; none: not specified.
struct Choice {
  std::optional<std::string> Checks, WarningsAsErrors, HeaderFilter, FailOn;
};

class Selection {
public:
  /// An error, one sentence, states what the user has to correct.
  static llvm::Expected<Selection> create(Choice Request);

  /// Reads the configuration for a file, unless it was read before; it must be
  /// called before the functions below are called for that file. An error is
  /// one sentence and names the file at fault.
  llvm::Error load(llvm::StringRef File);

  bool wantsRule(llvm::StringRef File, llvm::StringRef Rule) const;
  /// Whether the user wants findings in this file.
  bool wantsFile(const Project &P, llvm::StringRef File) const;
  /// Whether a header filter decides which headers of a main file are wanted.
  bool filtersHeaders(llvm::StringRef MainFile) const;
  bool wants(const Project &P, const Finding &F) const;
  /// Whether the finding fails the run: by its severity (fail-on), or because
  /// warnings-as-errors names its rule; with fail-on=never nothing fails.
  bool fails(const Finding &F) const;
  /// Whether a finding in the file may fail: not with fail-on=never.
  bool mayFail(llvm::StringRef File) const;

private:
  struct Compiled {
    NameGlobs Checks, WarningsAsErrors;
    std::optional<llvm::Regex> HeaderFilter;
    /// The lowest severity that fails; none: never.
    std::optional<Severity> FailOn;
  };
  Compiled compile(const Choice &FileChoice) const;
  const Compiled &optionsOf(llvm::StringRef File) const;

  Choice Request;
  llvm::StringMap<Compiled> ByFolder;
};

} // namespace autoprof::audit
