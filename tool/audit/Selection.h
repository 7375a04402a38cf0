// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which findings the user wants, and which fail the run: what the command line
// says, else what the nearest `.autoprof` above the file says, else everything.
// A finding goes by the configuration of the file that it stands in; whether a
// header is looked at goes by that of the main file.
#ifndef AUTOPROF_AUDIT_SELECTION_H
#define AUTOPROF_AUDIT_SELECTION_H

#include "audit/Filters.h"

#include "llvm/ADT/StringMap.h"

namespace autoprof::audit {

/// What a command line or a file says; none: nothing.
struct Choice {
  std::optional<std::string> Checks, WarningsAsErrors, HeaderFilter, FailOn;
};

class Selection {
public:
  /// An error, one sentence, says what the user has to correct.
  static llvm::Expected<Selection> create(Choice Request, LineFilter Lines);

  /// Reads the configuration for a file, if that has not been done; the calls
  /// below need it for each file that they are asked about. An error is one
  /// sentence and names the file at fault.
  llvm::Error load(llvm::StringRef File);

  bool wantsRule(llvm::StringRef File, llvm::StringRef Rule) const;
  /// Is the file one that the user wants to read about?
  bool wantsFile(const Project &P, llvm::StringRef File) const;
  bool wants(const Project &P, const Finding &F) const;
  /// Does the finding fail the run? By its severity (fail-on), or because
  /// warnings-as-errors names its rule; with fail-on=never nothing does.
  bool fails(const Finding &F) const;
  /// Are all lines of the file wanted? Needs no load().
  bool wantsAllLines(llvm::StringRef File) const;

private:
  struct Compiled {
    NameGlobs Checks, WarningsAsErrors;
    std::optional<llvm::Regex> HeaderFilter;
    std::optional<Severity> FailOn; ///< Or more; none: never.
  };
  Compiled compile(const Choice &FileChoice) const;
  const Compiled &optionsOf(llvm::StringRef File) const;

  Choice Request;
  LineFilter Lines;
  llvm::StringMap<Compiled> ByFolder;
};

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_SELECTION_H
