// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_ANALYSIS_COMPARISON_DIFFPLACES_H
#define AUTOPROF_ANALYSIS_COMPARISON_DIFFPLACES_H

#include "analysis/comparison/Run.h"

namespace autoprof::analysis {

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

#endif // AUTOPROF_ANALYSIS_COMPARISON_DIFFPLACES_H
