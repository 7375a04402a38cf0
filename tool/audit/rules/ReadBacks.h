// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a value goes that a wait brings to the host.
#ifndef AUTOPROF_AUDIT_RULES_READBACKS_H
#define AUTOPROF_AUDIT_RULES_READBACKS_H

#include "audit/walk/Waits.h"

#include <optional>
#include <string>

namespace autoprof::audit {

struct ReadBack {
  llvm::StringRef Rule; ///< Without "autoprof-".
  std::string Clause;   ///< ", and its result decides what runs next".
};

/// What the value does in the loop, if it is for that: it decides what runs, or
/// is shown. Then sets the finding's advice and notes, and its certainty.
std::optional<ReadBack> readBack(const WaitOnPath &W, Finding &F);

/// Whether a copy moves a value: at most a small struct.
bool isValue(const Step &Copy);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_READBACKS_H
