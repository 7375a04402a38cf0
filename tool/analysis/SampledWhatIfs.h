// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What-if answers for recordings that are too long to replay dozens of times:
// those of some consecutive steps, scaled to all. A program that runs steadily
// does the same in each step. The answers state which steps were taken, and how
// their mean time compares with that of all.
#ifndef AUTOPROF_ANALYSIS_SAMPLEDWHATIFS_H
#define AUTOPROF_ANALYSIS_SAMPLEDWHATIFS_H

#include "analysis/Analysis.h"

namespace autoprof::analysis {

/// `R`: the result so far, with its Sites and Steps. About `MaxOps` operations
/// are replayed. Gives no answers, and an empty sample, if there are no steps
/// on the GPU's clock, or if fewer than MinSampledSteps would remain to count.
constexpr size_t MinSampledSteps = 10;
WhatIfTable sampleWhatIfs(const trace::Timeline &T, const Result &R,
                          size_t MaxOps);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_SAMPLEDWHATIFS_H
