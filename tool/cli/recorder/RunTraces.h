// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The traces that the processes of one run leave: which are kept, and which one
// gets the name that the user gave.
//
// While they run, the first process that records has that name, and each other
// one inserts its process id. Which process has the GPU's work is known only in
// the end: a library may start a helper that loads CUDA and does nothing.
#pragma once

#include "trace/Load.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Chrono.h"

#include <string>
#include <vector>

namespace autoprof::cli {

/// Whether the name may mean several files (%p and the like).
bool isPattern(llvm::StringRef Output);

/// The patterns of the files that a run may write: `Output` itself, and with a
/// process id before its extension.
std::vector<std::string> patternsOf(llvm::StringRef Output);

/// The traces written since `Start` whose names match: `Output` itself first,
/// then by name.
std::vector<std::string> findTraces(llvm::StringRef Output,
                                    const std::vector<std::string> &Patterns,
                                    llvm::sys::TimePoint<> Start);

struct RunTrace {
  std::string Path;
  trace::Survey Content;
  bool IsRunning = false; ///< Its process is, and may still write.
};

/// The one to read comes first: with the most GPU work; of several ranks, the
/// first of `Paths` with GPU work.
std::vector<RunTrace> surveyTraces(llvm::ArrayRef<std::string> Paths);

/// Removes the traces without GPU work of processes that have ended, if another
/// one has GPU work. Returns their number.
size_t removeIdle(std::vector<RunTrace> &Traces);

/// Gives `Output` to the first trace; the one that had it inserts its process
/// id.
void giveName(std::vector<RunTrace> &Traces, llvm::StringRef Output);

} // namespace autoprof::cli
