// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `autoprof audit --baseline`: only findings that it does not accept fail the
// run.
#pragma once

#include "audit/Selection.h"
#include "report/audit/Audit.h"
#include "support/Command.h"

#include "llvm/ADT/StringSet.h"

namespace autoprof::sources {

class Ratchet {
public:
  /// Reads the file that --baseline names; with --update it may be missing.
  static llvm::Expected<Ratchet> create(const support::Arguments &Options);

  bool updates() const { return Updates; }
  /// With a baseline, each finding that it does not accept fails.
  bool isGate() const { return !Path.empty(); }

  /// To be called if all sources of the project were read completely. Until
  /// then, a missing finding may depend on what was not read, such as its loop.
  void setWhole() { Whole = true; }

  /// The entry for a finding, or null. An update for the whole project replaces
  /// all entries, so it has none.
  const audit::AcceptedFinding *entryOf(const audit::Finding &F) const;

  /// For a selected finding with its entry, or null: accepts it if the baseline
  /// does. A finding that became more severe is not accepted. Why it is not is
  /// added to the finding.
  bool accepts(audit::Finding &F, llvm::ArrayRef<audit::Loop> Loops,
               const audit::AcceptedFinding *E, report::Audit &A) const;

  /// Reports the entries that no longer have a finding; those that are in doubt
  /// are only counted. `Present`: fingerprints of the findings that no comment
  /// silences, selected or not, and of their entries. `Incomplete`: files that
  /// were not read, or only in part. Entries for those are not stale, and
  /// neither are those for files, lines and rules that were not selected.
  llvm::Error findStale(report::Audit &A, audit::Selection &S,
                        const llvm::StringSet<> &Present,
                        const llvm::StringSet<> &Incomplete);

  /// For --update: writes the file, and reports it. To be called after
  /// findStale() for `A`.
  llvm::Error update(const report::Audit &A) const;

private:
  std::vector<audit::AcceptedFinding> entriesOf(const report::Audit &A) const;
  std::string absolute(llvm::StringRef File) const;
  std::string relative(llvm::StringRef File) const;
  std::vector<std::string> throughOf(const audit::Finding &F) const;
  bool dependsOnMore(const audit::AcceptedFinding &E,
                     const llvm::StringSet<> &Files) const;

  audit::Baseline Known;
  std::string Path;   ///< As given; "": no baseline.
  std::string Folder; ///< The file's folder; absolute.
  bool Updates = false;
  bool Whole = false;
  unsigned Doubtful = 0; ///< Entries that findStale() could not decide.
  unsigned Unread = 0;   ///< Entries of existing files that were not read.
};

} // namespace autoprof::sources
