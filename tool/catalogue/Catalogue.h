// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every API call does to the host thread: one row a call, as data. The
// rewriter (which calls are sites), the analysis (what a call waits for) and
// the documentation read this one table. To add a call, add a row to the
// library's .def file.
#ifndef AUTOPROF_CATALOGUE_CATALOGUE_H
#define AUTOPROF_CATALOGUE_CATALOGUE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace autoprof::catalogue {

/// What the call is for.
enum class CallClass { Launch, Copy, Set, Sync, Alloc, Free, Query, Other };

/// Does the calling host thread wait for GPU work queued earlier?
enum class Waits {
  No,
  Yes,
  Maybe ///< Depends on Row::Condition (direction, memory kind, stream, size).
};

/// Which earlier GPU work a wait is for.
enum class WaitsFor {
  Nothing,
  Stream, ///< The call's own stream; for the legacy default stream also all
          ///< blocking streams of the context.
  Event,  ///< Work captured by an event.
  Device  ///< Every stream of the device, non-blocking ones included.
};

struct Row {
  llvm::StringLiteral Name;    ///< Without version suffixes.
  llvm::StringLiteral Library; ///< "cudart", "cuda", "cublas", ...
  CallClass Class;
  Waits Wait;
  WaitsFor Target;
  llvm::StringLiteral Condition;   ///< When Wait is Maybe: on what it depends.
  llvm::StringLiteral Replacement; ///< Cheapest form that does not wait, or "".
  llvm::StringLiteral Source;      ///< Where the claim comes from.
};

/// The row of `Name`, or null. Suffixes that headers and the ABI put on a
/// name (_v2, _v3020, _ptds, _ptsz, _64) are ignored. Thread-safe.
const Row *lookup(llvm::StringRef Name);

/// All rows, in the order of the .def files.
llvm::ArrayRef<Row> rows();

/// "launch", "copy", "set", "sync", "alloc", "free", "query", "other".
llvm::StringRef name(CallClass C);

} // namespace autoprof::catalogue

#endif // AUTOPROF_CATALOGUE_CATALOGUE_H
