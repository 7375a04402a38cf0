// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `autoprof audit --baseline`: accepted findings do not fail, others do.
#ifndef AUTOPROF_SOURCE_CLI_RATCHET_H
#define AUTOPROF_SOURCE_CLI_RATCHET_H

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

  /// For a selected finding, with its fingerprint: accepts it if the baseline
  /// does. A finding that became more severe states that.
  bool accepts(audit::Finding &F, report::Audit &A) const;

  /// Names the entries without a finding. `Present`: fingerprints of all
  /// findings that no comment silences, wanted or not. `Incomplete`: files that
  /// were not read, or only in part. Entries of those are not stale, and
  /// neither are those of files, lines and rules that were not selected.
  llvm::Error findStale(report::Audit &A, audit::Selection &S,
                        const llvm::StringSet<> &Present,
                        const llvm::StringSet<> &Incomplete) const;

  /// --update: writes the file, and reports it. `A`: after findStale().
  llvm::Error update(const report::Audit &A) const;

private:
  std::vector<audit::AcceptedFinding> entriesOf(const report::Audit &A) const;
  std::string absolute(llvm::StringRef File) const;

  audit::Baseline Known;
  std::string Path;   ///< As given; "": no baseline.
  std::string Folder; ///< Of the file; absolute.
  bool Updates = false;
};

} // namespace autoprof::sources

#endif // AUTOPROF_SOURCE_CLI_RATCHET_H
