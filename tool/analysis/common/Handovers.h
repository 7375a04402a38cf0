// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that are seen to work for another one by their times only: see
// WorkOwners.h.
#ifndef AUTOPROF_ANALYSIS_COMMON_HANDOVERS_H
#define AUTOPROF_ANALYSIS_COMMON_HANDOVERS_H

#include "trace/timeline/Timeline.h"

namespace autoprof::analysis {

struct Handover {
  uint32_t Helper, Owner; ///< Into Timeline::Threads.
};

/// At most one for each helper.
std::vector<Handover> findHandovers(const trace::Timeline &T);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_COMMON_HANDOVERS_H
