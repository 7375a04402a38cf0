// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What recording adds to a launch differs between machines by more than a
// factor of three, so it is measured: in separate short processes, because a
// process that has recorded once stays slower.
#pragma once

#include "runtime/protocol/MeasuredCosts.h"

#include "llvm/Support/raw_ostream.h"

#include <string>

namespace autoprof::cli {

/// What recording with `Runtime` costs on this machine: measured once for each
/// driver, GPU, CPU and version of autoprof, and then read from the user's
/// cache. Unknown (isKnown()) without a GPU, in ranks that are not the first of
/// their machine, and after any failure, which has no other effect. The
/// variable AUTOPROF_RECORDER_COST has the result itself, or "off", or
/// "measure" to ignore the cache.
runtime::MeasuredCosts recorderCosts(const std::string &Runtime);

/// The hidden command that runs in those processes. Launches kernels that do
/// nothing, and prints what one costs and what a wait does, or a sentence that
/// says why not. Returns an exit code.
int measureLaunches(llvm::raw_ostream &Out);

} // namespace autoprof::cli
