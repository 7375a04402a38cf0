// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the rewriter knows about a place in the source: sites (catalogued calls
// and kernel launches) and ranges (functions, loops), the places it had to
// leave alone, and the text form in which a translation unit carries them.
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
#ifndef AUTOPROF_SOURCE_PROJECT_SITE_H
#define AUTOPROF_SOURCE_PROJECT_SITE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace autoprof::source {

/// A position as compiler messages give it: of the original text, both from 1.
struct Position {
  std::string File; ///< Relative to the project root.
  unsigned Line = 0;
  unsigned Column = 0;
};

struct Site {
  uint64_t Id = 0;
  std::string Kind; ///< A catalogue class, "function" or "loop".
  Position Location;
  std::string Function; ///< As a person writes it: `Trainer::step`.
  std::string Callee;   ///< Empty for ranges.
};

/// A place that would be a site or a range but got no probe.
struct Skipped {
  std::string Kind;
  Position Location;
  std::string Function;
  std::string Callee;
  std::string Reason; ///< "inside macro LAUNCH, ...": no full stop.
};

uint64_t siteId(llvm::StringRef Path, llvm::StringRef Function,
                llvm::StringRef Callee, unsigned Ordinal);

/// `0x` and 16 lower-case hexadecimal digits.
std::string hex(uint64_t Id);

/// Longer string literals draw -Woverlength-strings: in C++ above 64 KiB, in
/// C90 above 509 bytes, of which 171 are AP_TABLE's own.
constexpr size_t LongestTable = 32 * 1024, LongestTableInC = 509 - 171;

/// The rows of AP_TABLE (include/autoprof/probe.h) in pieces of less than
/// `Limit` bytes, where a row is not longer itself.
std::vector<std::string> tableRows(llvm::ArrayRef<Site> Sites,
                                   size_t Limit = LongestTable);

} // namespace autoprof::source

#endif // AUTOPROF_SOURCE_PROJECT_SITE_H
