// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the callers of a function need its wait for
// ------------------------------------------------
// A helper such as `finish(stream)` waits for work of its callers, and what
// needs the wait is there, too: the callers change the source of a copy, read
// what another one has written, and queue work on another stream.
#ifndef AUTOPROF_AUDIT_RULES_CALLERNEEDS_H
#define AUTOPROF_AUDIT_RULES_CALLERNEEDS_H

#include "audit/Link.h"

namespace autoprof::audit {

/// The first place of each kind; Line 0: none is seen.
struct CallerNeeds {
  Place Unordered; ///< Work that no stream orders after other work.
  Place Changes;   ///< Changes what a copy to the GPU may still read.
  Place Accesses;  ///< Host code that may access what copies read or write.

  bool any() const { return Unordered.Line || Changes.Line || Accesses.Line; }
};

/// For a wait that is in no loop of its function: what the loops around the
/// calls of the function do between two calls.
CallerNeeds neededByCallers(const Project &P, const LinkedSite &Wait);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_CALLERNEEDS_H
