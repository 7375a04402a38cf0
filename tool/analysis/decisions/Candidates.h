// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What could be changed about a program, and how: its waits, its allocations,
// its memory pool and its copies, each with the least and the most that an
// engineer would do about it.
#ifndef AUTOPROF_ANALYSIS_DECISIONS_CANDIDATES_H
#define AUTOPROF_ANALYSIS_DECISIONS_CANDIDATES_H

#include "analysis/result/Result.h"

namespace autoprof::analysis {

/// Whether the program uses PyTorch, by the names of its kernels.
bool usesTorch(const trace::Timeline &T);

/// What a worthwhile change of a row is. `Longest`: the wait that represents
/// it. `InTorch`: in the terms of PyTorch's users.
Judgement adviceOn(const trace::Timeline &T, const Wait &Longest,
                   const SiteRow &Row, bool InTorch);

/// Whether a form of this call leaves its result on the GPU: BLAS with device
/// pointers.
bool canLeaveResult(llvm::StringRef Call);

/// Of the steps that count, or of the run where there are none. Waits that cost
/// little alone are one candidate together. Needs the rows and the transfers.
std::vector<Candidate> findCandidates(const trace::Timeline &T,
                                      const Attribution &A,
                                      const WaitList &List, const Result &R);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_DECISIONS_CANDIDATES_H
