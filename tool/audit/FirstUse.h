// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the host first uses what a wait completes
// -----------------------------------------------
// Advice depends on it: a wait cannot be postponed if the result is used
// immediately, and is not needed in the loop if nothing uses the result before
// the loop ends.
#ifndef AUTOPROF_AUDIT_FIRSTUSE_H
#define AUTOPROF_AUDIT_FIRSTUSE_H

#include "audit/Model.h"

#include "llvm/ADT/StringRef.h"

namespace autoprof::audit {

struct FirstUse {
  enum Kind : uint8_t {
    Unknown,
    AtOnce,        ///< Before more work is queued.
    SameIteration, ///< Work is queued first.
    NextIteration,
    AfterLoop
  };
  Kind When = Unknown;
  Place Location; ///< Empty if Unknown.
};
/// "unknown", "at_once", "same_iteration", "next_iteration", "after_loop".
llvm::StringRef name(FirstUse::Kind K);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_FIRSTUSE_H
