// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From paths to findings: which paths from a loop to a call are one finding,
// and what the code around a loop is for.
#pragma once

#include "audit/Finding.h"

namespace autoprof::audit {

/// A loop and a path from it to a call that waits.
struct Pair {
  Finding Found;
  unsigned Trace = 0;          ///< Number of the trace that shows it.
  unsigned LaunchesBefore = 0; ///< In that trace.
};

/// One finding for adjacent calls of one kind.
std::vector<Finding> joined(std::vector<Pair> Pairs);

/// Test, Benchmark or Example by the names of folders and of the file; else
/// Work. The path is relative to the project's root.
LoopKind kindByPlace(llvm::StringRef Path);

} // namespace autoprof::audit
