// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What-if answers for recordings that are too long to replay dozens of times:
// those of some steps in a row, stretched to all. A program that runs steadily
// does the same in each step; which steps were taken, and how their mean time
// compares with that of all, is stated beside the answers.
#ifndef AUTOPROF_ANALYSIS_SAMPLEDWHATIFS_H
#define AUTOPROF_ANALYSIS_SAMPLEDWHATIFS_H

#include "analysis/Analysis.h"

namespace autoprof::analysis {

/// `R`: the result so far, with its Sites and Steps. About `MaxOps` operations
/// are replayed. No answers, and a sample of no steps, without steps whose time
/// is the GPU's, and where less than MinSampledSteps would be left to count.
constexpr size_t MinSampledSteps = 10;
WhatIfTable sampleWhatIfs(const trace::Timeline &T, const Result &R,
                          size_t MaxOps);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_SAMPLEDWHATIFS_H
