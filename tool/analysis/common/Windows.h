// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spans of time, and how much of one is in others.
#ifndef AUTOPROF_ANALYSIS_COMMON_WINDOWS_H
#define AUTOPROF_ANALYSIS_COMMON_WINDOWS_H

#include "trace/timeline/Timeline.h"

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace autoprof::analysis {

/// How much of the time from `From` to `To` is in the window, ns.
int64_t overlap(const trace::Window &W, int64_t From, int64_t To);

/// The same for windows that are disjoint and in order.
int64_t overlap(llvm::ArrayRef<trace::Window> Disjoint, int64_t From,
                int64_t To);

/// Adds a window that begins no earlier than the last one of `Disjoint` does,
/// and joins the two where they touch.
void append(std::vector<trace::Window> &Disjoint, const trace::Window &W);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_COMMON_WINDOWS_H
