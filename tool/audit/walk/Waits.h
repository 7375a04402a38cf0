// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls that wait in launching loops, one finding for each pair of a loop
// and a path to a call. Severity is what the traces show:
//   high    in each iteration of a loop, with work pending
//   medium  the same in a loop that sets up, tests, shows or measures something
//           or does not run in each iteration of the loop around it; or under
//           conditions that the loop keeps
//   low     under conditions that differ between iterations, with nothing
//           pending, or perhaps
#ifndef AUTOPROF_AUDIT_WALK_WAITS_H
#define AUTOPROF_AUDIT_WALK_WAITS_H

#include "audit/Finding.h"
#include "audit/walk/Trace.h"

namespace autoprof::audit {

/// A call that waits on a path.
struct WaitOnPath {
  const Trace &T;
  size_t At; ///< Number of its step.
  int Loop;  ///< Number of the launching loop that it belongs to.

  const Step &step() const { return T.Steps[At]; }
  const PathSite &call() const { return *step().Call; }
  const LinkedSite &site() const { return *call().Linked; }
  const LoopOnPath &loop() const { return T.Loops[Loop]; }
};

/// Adds loops and waits of all paths. Which rule a wait belongs to, and what to
/// do about it, is decided in rules/.
Findings findWaits(const Project &P);

/// Sorts the loops: those that do the program's work first, then by depth and
/// launches. Removes loops without findings.
void arrangeLoops(Findings &F);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_WALK_WAITS_H
