// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of CUDA that a framework's operators made, named by the operators.
//
// A framework's profiler records which operator ran when. A call belongs to the
// innermost one of its thread in which it began, and its name is the path to
// that: "aten::item > aten::_local_scalar_dense". The operator's slice becomes
// a site slice, so that all calls in it (the copy of an item() and the
// synchronization after it) are one row of the report, counted once. Python's
// functions are dropped; operators become runs of their thread
// (Thread::Operators, Thread::Nested).
//
// If Python's functions were recorded, too, the site gets the place of the
// innermost one outside of Python's core (timeline/PythonCode.h).
#pragma once

#include "trace/import/Collected.h"
#include "trace/timeline/PythonCode.h"

namespace autoprof::trace {

/// Adds calls, ranges and sites to the builder; with `KeepOperators` also the
/// runs of operators. Sorts the rows.
void addHostRows(TimelineBuilder &Builder, std::vector<HostRow> &Rows,
                 bool KeepOperators);

/// "train.py(88): main" as torch.profiler names a function; nullopt for
/// functions of Python's core and for built-in ones.
struct PythonPlace {
  llvm::StringRef File, Function;
  uint32_t Line; ///< Where the function begins.
  CodeOwner Owner;
};
std::optional<PythonPlace> pythonPlace(llvm::StringRef Name);

} // namespace autoprof::trace
