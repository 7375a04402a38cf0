// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that are created and destroyed on one line, such as a
// thrust::device_vector that is declared in a loop.
#pragma once

#include "trace/timeline/Timeline.h"

#include "llvm/ADT/StringRef.h"

namespace autoprof::analysis {

/// Of a constructor ("thrust::device_vector::device_vector") or a destructor:
/// its class, which is a part of `Call`; of other calls "".
llvm::StringRef classOf(llvm::StringRef Call);

/// Of a site that creates an object: the site that destroys it, and the other
/// way round. None if there is none, or it is on another line. Several objects
/// of one class on one line are told apart by their order.
uint32_t partnerOf(const trace::Timeline &T, uint32_t Site);

} // namespace autoprof::analysis
