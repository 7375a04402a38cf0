// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A window of a timeline that is in memory already.
#pragma once

#include "trace/timeline/Timeline.h"

namespace autoprof::trace {

/// What Selection keeps of `T`, as if only that had been read. Indices of
/// threads, queues, stages, sites and strings are those of `T`.
Timeline partOf(const Timeline &T, const Window &Keep);

/// Of a file that is cut off, leaves the part in which nothing is missing.
void keepReadPart(Timeline &T);

} // namespace autoprof::trace
