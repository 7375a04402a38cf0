// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The findings that a project accepts, as they are kept in its repository
// (docs/audit/ci.md): only others fail. A finding is known by its fingerprint,
// which has no line number in it.
#ifndef AUTOPROF_AUDIT_BASELINE_H
#define AUTOPROF_AUDIT_BASELINE_H

#include "audit/Finding.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace autoprof::audit {

struct AcceptedFinding {
  std::string Fingerprint, Rule;
  Severity Level = Severity::Note; ///< When it was accepted.
  std::string File;                ///< Relative to the baseline's folder.
  std::string Function;            ///< "" when the finding is in none.
  std::string Code;                ///< The line, without blanks around it.
  std::string Reason;              ///< What a person wrote; "": nothing.
};

struct Baseline {
  std::vector<AcceptedFinding> Entries;

  /// Null: none.
  const AcceptedFinding *find(llvm::StringRef Fingerprint) const;

  /// The one that accepts this finding; null: none. A finding that became more
  /// severe is not accepted any more.
  const AcceptedFinding *accepting(const Finding &F) const;
};

/// `Found` takes the place of the entries of `Old`, but for those that `Keeps`
/// names. Reasons are carried over: to the same finding, else to the only one
/// that differs from a lost entry in the file's name, the function's, or the
/// line's text. Sorted; equal input gives equal output.
Baseline update(const Baseline &Old, std::vector<AcceptedFinding> Found,
                llvm::function_ref<bool(const AcceptedFinding &)> Keeps);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_BASELINE_H
