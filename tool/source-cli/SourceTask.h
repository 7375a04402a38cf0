// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work on many translation units.
// A subcommand that reads sources is a SourceTask. Each unit is given to work()
// in a process of its own, a copy of this one, so that a crash, a hang or a
// leak in clang affects only one file. The result of work() is sent back as
// bytes; collect() gets the results in the order of the units, one at a time,
// however the processes were scheduled, so the output is the same in every run
// without sorting.
// A unit with errors is read for its intact functions.
#pragma once

#include "compilation/Unit.h"
#include "source/ast/ErrorLog.h"

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace autoprof::sources {

/// The result of work() for one unit.
struct Reading {
  std::string Bytes; ///< Input of collect().
  source::Loss Lost; ///< With errors: the unit was read only in part.
};

/// The result of one unit.
struct Outcome {
  enum Kind {
    Done,    ///< work() returned a reading without errors.
    Partly,  ///< work() returned a reading with errors.
    Failed,  ///< work() returned an error, or clang refused the command.
    Crashed, ///< The process died.
    TimedOut ///< The process took longer than RunOptions::TimeLimit.
  } Class = Failed;
  Reading Read;        ///< For Done and Partly.
  std::string Error;   ///< Except for Done: one sentence without a full stop.
  std::string Missing; ///< The file that the error did not find, or "".
  bool Reordered = false; ///< It was read with Unit::Reordered.

  bool isRead() const { return Class == Done || Class == Partly; }
  const std::vector<std::string> &args(const Unit &U) const {
    return Reordered ? U.Reordered : U.Args;
  }
};

/// The first error, and "; 2 functions were left out: f (line 3), g (line 9)",
/// which names the first three.
std::string describe(const source::Loss &Lost);

class SourceTask {
public:
  virtual ~SourceTask() = default;

  /// Reads `U` in a worker process, whose folder is the unit's and whose output
  /// is discarded. `CI` has the invocation (host side, syntax only), the file
  /// manager and the virtual files, and diagnostics that are ignored; no action
  /// has run. source::rewriteIntact(CI, ...) works on it as it is; so does
  /// CI.ExecuteAction after CI.createDiagnostics. The returned error is the
  /// user's message about this file: if none of its text can be read, the first
  /// error with its place.
  virtual llvm::Expected<Reading> work(const Unit &U,
                                       clang::CompilerInstance &CI) = 0;

  /// Called in the parent, once for each unit, in their order.
  virtual void collect(const Unit &U, Outcome O) = 0;
};

struct RunOptions {
  unsigned Jobs = 0;            ///< Workers at a time; 0: one for each CPU.
  unsigned TimeLimit = 60;      ///< Seconds of CPU time for each unit; 0: none.
  const char *Verb = "Reading"; ///< For the progress line on a terminal.
};

/// The number of units with each outcome.
struct RunSummary {
  unsigned Done = 0, Partly = 0, Failed = 0, Crashed = 0, TimedOut = 0;
  /// Units read at least in part.
  unsigned read() const { return Done + Partly; }
  unsigned total() const { return read() + Failed + Crashed + TimedOut; }
};

/// Gives every unit to `Task`. Only one thread may exist in this process.
RunSummary run(SourceTask &Task, llvm::ArrayRef<Unit> Units,
               const RunOptions &Options);

} // namespace autoprof::sources
