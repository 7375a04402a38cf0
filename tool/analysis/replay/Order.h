// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a recording shows of the order in which threads work.
#pragma once

#include "analysis/waits/Attribution.h"

#include <vector>

namespace autoprof::analysis {

/// Whether the threads of `InPlay` hand work to each other, as the forward and
/// the backward pass of a framework do, as far as their calls show it. Threads
/// that are independent of each other begin calls while others are in theirs as
/// often as these are in calls. If that happens far less often, a thread waits
/// until another one has done its part, even if the recording does not show
/// how. Threads that make few calls do not count. False if there are too few
/// calls to tell. Unlike WorkOwners, this needs no ranges and names no owner.
bool takeTurns(const trace::Timeline &T, const Attribution &A,
               const std::vector<bool> &InPlay);

} // namespace autoprof::analysis
