// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stages of analyse() that have no folder of their own, in the order in
// which it calls them. Each needs those before it.
#pragma once

#include "analysis/result/Result.h"

namespace autoprof::analysis {

/// The calls that waited, and the other sites of interest, without gains.
/// Sorted by cost. Needs the waits and stalls.
std::vector<SiteRow> listSites(const trace::Timeline &T, const Attribution &A,
                               const WaitList &List, const Result &R);

/// The one place that asks replays about a change: the gains of Sites, WhatIfs,
/// Transfers, what the recorder adds, and the Constants used. Needs the
/// rows, and what is advised for them.
void askReplays(const trace::Timeline &T, const Attribution &A,
                const WaitList &List, Result &R);

/// Whether it is known what the recorder added to each call that is replayed.
/// What recording a graph's node adds is not known.
bool knowsCost(const trace::Timeline &T, const Result &R);

/// For recordings that are too long to replay dozens of times: some consecutive
/// steps whose mean time is nearest to that of all, with about `MaxOps`
/// operations. A program that runs steadily does the same in each step. An
/// empty sample if there are no steps on the GPU's clock, or if fewer than
/// MinSampledSteps would be replayed.
constexpr size_t MinSampledSteps = 10;
StepSample sampleSteps(const trace::Timeline &T, const Result &R,
                       size_t MaxOps);

} // namespace autoprof::analysis
