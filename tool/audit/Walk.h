// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks along the control flow of a function: which events may follow an
// event. A loop is traversed once.
#ifndef AUTOPROF_AUDIT_WALK_H
#define AUTOPROF_AUDIT_WALK_H

#include "audit/Model.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace autoprof::audit {

/// An event of a function, by its block and its position in the block.
struct EventRef {
  unsigned Block, Index;
};

/// The events of a site or a call; more than one if clang duplicates code.
std::vector<EventRef> eventsOf(const Function &F, Event::Kind Kind,
                               unsigned Index);

/// Called for each event that may follow, the nearest first on each path, each
/// at most once. Returns false to stop on this path.
using Visitor = llvm::function_ref<bool(const Event &)>;

void walkForward(const Function &F, EventRef Start, Visitor Visit);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_WALK_H
