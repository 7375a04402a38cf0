// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the host first uses what a wait completes
// -----------------------------------------------
// Advice depends on it: a wait cannot be postponed if the result is used
// immediately, and is not needed in the loop if nothing uses the result before
// the loop ends. Only the function of the wait is examined; for memory that the
// GPU shares with the host, its callers, too; for memory that a field or global
// variable points to, all functions that the loop calls.
#ifndef AUTOPROF_AUDIT_FIRSTUSE_H
#define AUTOPROF_AUDIT_FIRSTUSE_H

#include "audit/Link.h"

namespace autoprof::audit {

struct FirstUse {
  enum Kind : uint8_t {
    Unknown,
    AtOnce,        ///< Before more work is queued.
    SameIteration, ///< On every path, work is queued first.
    NextIteration,
    AfterLoop
  };
  Kind When = Unknown;
  Place Location;        ///< Empty if Unknown.
  bool Returned = false; ///< The function returns the value, unchanged.
  /// The host accesses memory that the GPU may share: managed or mapped memory.
  bool Shared = false;
  std::string Name; ///< If Shared: the variable, or "".
  /// Another function reads what a field or global variable points to, or the
  /// same function in its next call.
  bool Elsewhere = false;
};
/// "unknown", "at_once", "same_iteration", "next_iteration", "after_loop".
llvm::StringRef name(FirstUse::Kind K);

/// The host memory that is complete when a call has returned, as cells of its
/// function: its own destination, and for a wait those of the asynchronous
/// copies to the host queued before it, and managed or pinned memory that the
/// kernels before it may write.
std::vector<int> cellsCompletedBy(const Project &P, const LinkedSite &S);

FirstUse firstUse(const Project &P, const LinkedSite &S,
                  llvm::ArrayRef<int> Cells);

/// firstUse() of what the call completes; for an explicit wait, also the first
/// access of the host to memory that the GPU may share, or to the destination
/// of a copy that a field or global variable points to.
FirstUse firstUse(const Project &P, const LinkedSite &S);

/// Whether a place in the site's function is in the loop around the site; true
/// if there is no loop.
bool isInLoopOf(const Project &P, const LinkedSite &S, const Place &Position);

/// Where the host, after a wait and before the next one, frees or changes
/// memory that queued copies or kernels read and that the wait waits for:
/// without the wait they would read other data. Line is 0 if there is no such
/// place.
Place endOfLifetime(
    const Project &P, const LinkedSite &Wait,
    llvm::function_ref<bool(const LinkedSite &Work)> IsOutstanding);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_FIRSTUSE_H
