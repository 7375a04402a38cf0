// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From paths to findings: which paths from a loop to a call are one finding,
// and what the code around a loop is for.
#pragma once

#include "audit/Finding.h"
#include "audit/walk/Trace.h"

namespace autoprof::audit {

/// A loop and a path from it to a call that waits.
struct Pair {
  Finding Found;
  unsigned Trace = 0;          ///< Number of the trace that shows it.
  unsigned LaunchesBefore = 0; ///< In that trace.
};

/// What findings show of calls and conditions.
class SharedSteps {
public:
  SharedStep of(const Call &Made);
  SharedStep of(const Guard &G);

private:
  /// By scope or call, and what a call may call; empty: not made yet.
  std::map<std::pair<const void *, const void *>, std::optional<SharedStep>>
      Known;
};

/// One finding for adjacent calls of one kind.
std::vector<Finding> joined(std::vector<Pair> Pairs);

} // namespace autoprof::audit
