// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls that wait in launching loops, one finding for each pair of a loop
// and a path to a call. docs/audit/README.md has the rules of their severity.
#pragma once

#include "audit/Finding.h"
#include "audit/walk/Flow.h"

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

/// What the rules say of paths.
struct Judges {
  /// Sets the finding's rule, message, advice and notes, and lowers its
  /// severity where the cause says that the wait costs little. Returns false if
  /// there is nothing to report.
  bool (*Describe)(const WaitOnPath &W, const Pending &Before, Finding &F);
  /// Adds what is wrong in the loop of a trace.
  void (*FindRaces)(const Trace &T, std::vector<Finding> &Out);
};

/// Calls `Use` for the outermost launching loops of all paths.
void forTraces(const Project &P, llvm::function_ref<void(Trace &)> Use);

/// The launching loops of all paths, and the waits in them.
Findings findWaits(const Project &P, const Judges &Rules);

/// Sorts the loops: those that do the program's work first, then by depth and
/// launches. Removes loops without findings.
void arrangeLoops(Findings &F);

} // namespace autoprof::audit
