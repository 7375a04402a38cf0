// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The findings that a project accepts, kept in its repository
// (docs/audit/ci.md): only others fail. A finding is identified by its
// fingerprint, which contains no line number; where another rule reports the
// same call, because other files were read, by the call.
#ifndef AUTOPROF_AUDIT_BASELINE_H
#define AUTOPROF_AUDIT_BASELINE_H

#include "audit/Finding.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"

namespace autoprof::audit {

struct AcceptedFinding {
  std::string Fingerprint, Rule;
  std::string Call;                ///< As Finding::Call.
  Severity Level = Severity::Note; ///< The severity when it was accepted.
  std::string File;                ///< Relative to the baseline's folder.
  std::string Function;            ///< "" if the finding is in none.
  std::string Code;                ///< The line, trimmed.
  std::string Reason;              ///< Written by a person, or "".
  /// Other files that the path from its loop goes through, as File. Without
  /// them the finding cannot be found.
  std::vector<std::string> Through{};
};

struct Baseline {
  std::vector<AcceptedFinding> Entries;

  /// Returns null if there is none.
  const AcceptedFinding *find(llvm::StringRef Fingerprint) const;

  /// The entry for the finding: the one with its fingerprint, else the one of
  /// its call, if none of `Found` (all fingerprints) has that. Or null. Rules
  /// about correctness are not exchangeable: an accepted wait does not accept
  /// a race.
  const AcceptedFinding *entryOf(const Finding &F,
                                 const llvm::StringSet<> &Found) const;
};

/// `Found` replaces the entries of `Old`, except those that `Keeps` selects.
/// Reasons are carried over to the same finding, to the same call reported by
/// another rule (also of an entry that is kept), otherwise to the only one that
/// differs from a lost entry in the file name, the function name, or the text
/// of the line. Sorted; equal input gives equal output.
Baseline update(const Baseline &Old, std::vector<AcceptedFinding> Found,
                llvm::function_ref<bool(const AcceptedFinding &)> Keeps);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_BASELINE_H
