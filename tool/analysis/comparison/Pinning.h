// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies that come from or go to pageable memory on one side, and pinned memory
// on the other: by the same call, or by one that took its place. Only copies
// that the replay of the side with pageable memory has an answer for: the
// others take too little time, as that of a printed loss.
#ifndef AUTOPROF_ANALYSIS_COMPARISON_PINNING_H
#define AUTOPROF_ANALYSIS_COMPARISON_PINNING_H

#include "analysis/replay/WhatIf.h"

#include <vector>

namespace autoprof::analysis {

struct Difference;
struct TransferRow;

struct PinnedCopy {
  size_t Site = 0;    ///< Into Difference::Sites: the base's.
  size_t NewSite = 0; ///< The same, or the one that copies now.
  Edit Kind = Edit::Pin;
  const TransferRow *Base = nullptr, *New = nullptr; ///< Of the first runs.
};

/// Pinned in the new recording. Of the first runs of both sides; empty where
/// these have no steps.
std::vector<PinnedCopy> findPinned(const Difference &D);
/// Pinned in the base.
std::vector<PinnedCopy> findUnpinned(const Difference &D);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_COMPARISON_PINNING_H
