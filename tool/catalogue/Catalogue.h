// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every API call does to the host thread, as data. This one table is read
// by the plugin (which calls are sites), the analysis (what a call waits for),
// `autoprof explain`, and docs/catalogue.md.
//
// A call has a general row, which applies if nothing is known of its arguments,
// followed by conditional rows, the most specific first: the first one that
// holds applies. To add a call, add rows to the library's .def file; Check.cpp
// fails the build if one is wrong. Measurements are kept separately, in
// measured/ (see Measured.h): where they differ from the documentation, the row
// states what was measured and disagreements.def records both. Measurements on
// the user's machine (Semantics.h) may take precedence over this table.
#pragma once

#include "catalogue/Facts.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace autoprof::catalogue {

/// What the call is for.
enum class CallClass { Launch, Copy, Set, Sync, Alloc, Free, Query, Other };

/// Does the calling host thread wait for GPU work queued earlier?
enum class Waits {
  No,
  Yes,
  Maybe, ///< Row::Reason names what it depends on.
  Slow   ///< No, but it takes long on the CPU; Row::Reason names why.
};

constexpr bool mayWait(Waits W) { return W == Waits::Yes || W == Waits::Maybe; }

/// Which earlier GPU work a wait is for.
enum class WaitsFor {
  Nothing,
  Stream, ///< The call's own stream; for the legacy default stream also all
          ///< blocking streams of the context.
  Event,  ///< Work captured by an event.
  Device  ///< Every stream of the device, non-blocking ones included.
};

struct Row {
  /// As declared, without version suffixes, template arguments, and inline
  /// namespaces. A trailing '*' matches all names with this prefix that have no
  /// row of their own.
  llvm::StringLiteral Name;
  llvm::StringLiteral Library; ///< "cudart", "cuda", "cublas", ...
  CallClass Class;
  /// Of a general row: where the facts of its conditions come from,
  /// "direction=kind, destination=dst": the names of parameters, or a
  /// description of what else decides. Otherwise "".
  llvm::StringLiteral DecidedBy;
  bool General;
  Facts Condition; ///< Of a general row: anything.
  Waits Wait;
  WaitsFor Target;
  llvm::StringLiteral Reason;      ///< One clause, or "".
  llvm::StringLiteral Replacement; ///< Cheapest form that does not wait, or "".
  llvm::StringLiteral Source;      ///< Where the claim comes from.
};

/// The general row of `Name`, or null. Suffixes that headers and the ABI put on
/// a name (_v2, _v3020, _ptds, _ptsz, _64) are ignored. Thread-safe.
const Row *lookup(llvm::StringRef Name);

/// All rows, in the order of the .def files; those of one call are adjacent.
llvm::ArrayRef<Row> rows();

/// The conditional rows of the call of this general row.
llvm::ArrayRef<Row> conditional(const Row &General);

struct Semantics;

/// What a call does, as far as the facts decide it.
struct Answer {
  Waits Wait = Waits::Maybe;
  WaitsFor Target = WaitsFor::Nothing; ///< The most that it may wait for.
  std::string Reason;                  ///< One clause; never "" for Maybe.
  llvm::StringRef Replacement;         ///< Of the call, or "".
  std::string Source; ///< Of the row that applies, or Measured.
  const Semantics *Measured = nullptr; ///< Not null if it was measured there.
  /// The rows that may hold, the one that applies first; never empty.
  std::vector<const Row *> Rows;
};

/// What the call of `General` does, given what is known of its arguments.
Answer ask(const Row &General, const Facts &Known);

/// Where documentation and measurement differ.
struct Disagreement {
  llvm::StringLiteral Name, Documented, Measured;
};

llvm::ArrayRef<Disagreement> disagreements();

/// "launch", "copy", "set", "sync", "alloc", "free", "query", "other".
llvm::StringRef name(CallClass C);
/// "no", "yes", "maybe", "slow".
llvm::StringRef name(Waits W);
/// "nothing", "stream", "event", "device".
llvm::StringRef name(WaitsFor W);
/// "CUDA runtime" for "cudart".
llvm::StringRef libraryTitle(llvm::StringRef Library);
/// "vector::size" of "vector<pair<int, int>>::size".
std::string withoutTemplateArguments(llvm::StringRef Name);

} // namespace autoprof::catalogue
