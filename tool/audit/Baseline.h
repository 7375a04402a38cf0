// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The findings that a project accepts, kept in its repository
// (docs/audit/ci.md): only others fail. A finding is identified by its
// fingerprint, which contains no line number.
#pragma once

#include "audit/Finding.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace autoprof::audit {

struct AcceptedFinding {
  std::string Fingerprint, Rule;
  Severity Level = Severity::Note; ///< The severity when it was accepted.
  std::string File;                ///< Relative to the baseline's folder.
  std::string Function;            ///< "" if the finding is in none.
  std::string Loop;                ///< The function of its loop, or "".
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
};

/// `Found` replaces the entries of `Old`, except those that `Keeps` selects.
/// Reasons are carried over to the same finding, otherwise to the only one that
/// differs from a lost entry in the file name, the function name, or the text
/// of the line. Sorted; equal input gives equal output.
Baseline update(const Baseline &Old, std::vector<AcceptedFinding> Found,
                llvm::function_ref<bool(const AcceptedFinding &)> Keeps);

} // namespace autoprof::audit
