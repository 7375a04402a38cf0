// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matches places of one program to those of another version of it: by ids only
// where a function's calls are the same, in the same order, on both sides
// (docs/reports-reference.md, "Which site is which"). Where they are not, only
// what all best alignments of the calls agree on is used.
//
// A match without an id is a guess and marked as one: a wrong pair that looks
// certain would be worse than none.
#pragma once

#include "analysis/comparison/Run.h"
#include "trace/timeline/Timeline.h"

namespace autoprof::analysis {

struct Match {
  uint32_t Base = trace::None; ///< Into the base's table; None: it is new.
  std::string Guess; ///< "": certain. Else why: "its function was train".
};

/// For each of `New`, and each of `Base` at most once. The user's own ranges
/// are matched by name and domain.
std::vector<Match> matchSites(const std::vector<trace::Site> &Base,
                              const std::vector<trace::Site> &New);

/// One number for each place in all runs of both sides: equal numbers are one
/// place.
class DiffPlaces {
  std::vector<std::vector<size_t>> OfBase, OfNew; ///< By run, by table.
  std::vector<std::string> Guesses;               ///< By number.

  size_t add();
  void addRepeats(const std::vector<RunSummary> &Side,
                  std::vector<std::vector<size_t>> &PlacesOf);

public:
  DiffPlaces(const std::vector<RunSummary> &Base,
             const std::vector<RunSummary> &New);
  /// `Site`: into the run's table.
  size_t of(bool IsNew, size_t Run, uint32_t Site) const {
    return (IsNew ? OfNew : OfBase)[Run][Site];
  }
  /// Why base and new are matched; see Match.
  const std::string &guess(size_t Number) const { return Guesses[Number]; }
};

} // namespace autoprof::analysis
