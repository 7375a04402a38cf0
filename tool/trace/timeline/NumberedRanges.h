// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Users number their ranges: "epoch 1", "epoch 2"; and PyTorch names each step
// "ProfilerStep#7". Such ranges are runs of one, "epoch #", for every analysis.
#pragma once

#include "trace/timeline/Timeline.h"

namespace autoprof::trace {

/// Gives the user's ranges of a domain whose names differ in their last number
/// only one site, that of the first, which gets the name with a # in place of
/// the number. The number must rise from each range to the next on a thread:
/// "layer 1" and "layer 2" in every step are two things. From three ranges on
/// one thread on, as a few may have numbers by chance; if a # marks the number,
/// from the first. Names of the events stay. Host events must be sorted.
void joinNumberedRanges(Timeline &T);

/// "ProfilerStep#" for "ProfilerStep#12"; a name whose number no # marks stays.
llvm::StringRef withoutNumber(llvm::StringRef Name);

} // namespace autoprof::trace
