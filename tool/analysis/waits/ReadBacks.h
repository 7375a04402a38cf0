// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators of a framework that only read from the GPU, such as aten::item.
// Whoever removes such a call also saves the CPU time of the operator around
// it, which in a CPU-bound step costs more than the wait.
#ifndef AUTOPROF_ANALYSIS_WAITS_READBACKS_H
#define AUTOPROF_ANALYSIS_WAITS_READBACKS_H

#include "analysis/waits/Attribution.h"

namespace autoprof::analysis {

/// One run of such an operator. All calls in it belong to one group (see
/// groupOf), and queue nothing but copies to the host.
struct ReadBack {
  uint32_t Thread; ///< Into Timeline::Threads.
  uint32_t Group;
  int64_t Start, End; ///< ns
};

/// By thread, then start. Empty where no operators were recorded.
///
/// The outermost operator counts if every operator of the path is PyTorch's own
/// ("aten::"): a range of the user's or of a data loader may do other work. If
/// the outermost one does other work, the operator that made the calls counts.
std::vector<ReadBack> findReadBacks(const trace::Timeline &T,
                                    const Attribution &A);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_WAITS_READBACKS_H
