// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that would wait in place of another one: a cudaMemcpy after a
// cudaMemcpy, or the cudaStreamSynchronize after a copy to pageable memory.
// They do not wait in the recording, because the call before them did, so
// changing that call alone only moves its wait to them.
#ifndef AUTOPROF_ANALYSIS_WAITS_SUCCESSORS_H
#define AUTOPROF_ANALYSIS_WAITS_SUCCESSORS_H

#include "analysis/waits/Waits.h"

#include <map>
#include <vector>

namespace autoprof::analysis {

/// By group of calls (see groupOf): the groups whose calls would wait instead,
/// in the order in which the program reaches them. Those that would do so in
/// fewer than half of the waits, and groups without any, are left out.
std::map<uint32_t, std::vector<uint32_t>>
findSuccessors(const trace::Timeline &T, const Attribution &A,
               const WaitList &List);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_WAITS_SUCCESSORS_H
