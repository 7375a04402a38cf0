// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the host first uses what a wait brings
// --------------------------------------------
// Advice follows from it: a result that is used at once cannot be waited for
// later, one that nobody uses before the loop ends need not be waited for in
// it. Only the function of the wait is looked at.
#ifndef AUTOPROF_AUDIT_FIRSTUSE_H
#define AUTOPROF_AUDIT_FIRSTUSE_H

#include "audit/Link.h"

namespace autoprof::audit {

struct FirstUse {
  enum Kind : uint8_t {
    Unknown,
    AtOnce,        ///< Before anything more is queued.
    SameIteration, ///< Work is queued before, on every way.
    NextIteration,
    AfterLoop
  };
  Kind When = Unknown;
  Place Location; ///< Nowhere, if Unknown.
};
/// "unknown", "at_once", "same_iteration", "next_iteration", "after_loop".
llvm::StringRef name(FirstUse::Kind K);

/// The host memory, cells of its function, that is complete when a call has
/// returned: its own destination, and those of the asynchronous copies to the
/// host that were queued before it.
std::vector<int> cellsCompletedBy(const Project &P, const LinkedSite &S);

FirstUse firstUse(const Project &P, const LinkedSite &S,
                  llvm::ArrayRef<int> Cells);

/// Is a place of the site's function in the loop around the site? Without one
/// every place is.
bool isInLoopOf(const Project &P, const LinkedSite &S, const Place &Position);

/// Where the host, after a wait and before the next one, frees or changes
/// memory that queued copies read: without the wait they would read something
/// else. None: Line is 0.
Place endOfLifetime(const Project &P, const LinkedSite &Wait);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_FIRSTUSE_H
