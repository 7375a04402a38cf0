// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rewriter's data about places in the source: sites (catalogued calls and
// kernel launches) and ranges (functions, loops), the places that could not be
// instrumented, and the text form of this data in a translation unit.
//
// A site id must survive edits elsewhere in the file, so it depends on no line
// number: it is the 64-bit FNV-1a hash of
//
//     path  NUL  function  NUL  callee  NUL  ordinal in decimal
//
// path is relative to the project root; function is the qualified name with
// parameter types of the enclosing function (calls in a lambda belong to the
// function around it); callee is the call's or kernel's name, or "<function>"
// or "<loop>" for ranges; ordinal counts that callee in that function from 0.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace autoprof::source {

/// A position as in compiler messages: in the original text, line and column
/// from 1.
struct Position {
  std::string File; ///< Relative to the project root.
  unsigned Line = 0;
  unsigned Column = 0;
};

struct Site {
  uint64_t Id = 0;
  std::string Kind; ///< A catalogue class, "function" or "loop".
  Position Location;
  std::string Function; ///< As a user would write it: `Trainer::step`.
  std::string Callee;   ///< Empty for ranges.
};

/// A place that would be a site or a range but got no probe.
struct Skipped {
  std::string Kind;
  Position Location;
  std::string Function;
  std::string Callee;
  std::string Reason;    ///< "inside macro LAUNCH, ...": no full stop.
  bool IsOfFile = false; ///< The reason is that of all places of its file.
};

/// For support/Archive.h.
template <typename V> void visit(V &Do, Position &P) {
  Do(P.File, P.Line, P.Column);
}
template <typename V> void visit(V &Do, Skipped &S) {
  Do(S.Kind, S.Location, S.Function, S.Callee, S.Reason);
}

uint64_t siteId(llvm::StringRef Path, llvm::StringRef Function,
                llvm::StringRef Callee, unsigned Ordinal);

/// `0x` and 16 lower-case hexadecimal digits.
std::string hex(uint64_t Id);

/// Longer string literals cause -Woverlength-strings: above 64 KiB in C++,
/// above 509 bytes in C90, of which 171 are AP_TABLE's own.
constexpr size_t LongestTable = 32 * 1024, LongestTableInC = 509 - 171;

/// The rows of AP_TABLE (include/autoprof/probe.h) in pieces of less than
/// `Limit` bytes, except for rows that are longer themselves. `Step`: the
/// program's step as the project names it, or "". No sites, no rows.
std::vector<std::string> tableRows(llvm::ArrayRef<Site> Sites,
                                   llvm::StringRef Step = "",
                                   size_t Limit = LongestTable);

} // namespace autoprof::source
