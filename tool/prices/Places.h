// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls in the source as a recording and as the audit name them, and how the
// two are matched.
//
// Both know most calls by the same site id. A recording lacks it where the
// program was not compiled with the plugin (host stacks, other profilers), and
// it differs where the project's root was another one. Then file, line and call
// decide, and only if exactly one call fits: two calls on one line do not
// match.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace autoprof::prices {

struct Place {
  uint64_t Id = 0;  ///< 0: none.
  std::string File; ///< "": unknown.
  unsigned Line = 0, Column = 0;
  std::string Function, Call;
};

/// Reads "0x" and 16 hex digits; 0 for anything else.
uint64_t parseId(llvm::StringRef Text);

/// Whether a recorded path and one of the audit's may name the same file: they
/// are equal, or the shorter one is the end of the other.
bool mayBeSameFile(llvm::StringRef A, llvm::StringRef B);

struct Match {
  uint32_t Index;       ///< Of the place that matches.
  bool ByPlace = false; ///< By file, line and call.
};

/// The audit's places.
class PlaceIndex {
public:
  /// The places must outlive the index. Several at one position are one.
  explicit PlaceIndex(llvm::ArrayRef<Place> Places);

  /// The place that matches a recorded one; nothing if none or several fit.
  /// `Candidates`, if given: how many fit by file, line and call.
  std::optional<Match> find(const Place &Recorded,
                            unsigned *Candidates = nullptr) const;

private:
  llvm::ArrayRef<Place> Places;
  std::unordered_map<uint64_t, uint32_t> ById;
  llvm::StringMap<std::vector<uint32_t>> ByLine; ///< Name of the file and line.
};

} // namespace autoprof::prices
