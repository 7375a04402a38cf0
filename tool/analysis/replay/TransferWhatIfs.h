// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the replay answers about whole transfers: pinning the host's memory,
// not waiting for the copy either, and leaving it out.
#ifndef AUTOPROF_ANALYSIS_REPLAY_TRANSFERWHATIFS_H
#define AUTOPROF_ANALYSIS_REPLAY_TRANSFERWHATIFS_H

#include "analysis/replay/WhatIfTable.h"
#include "analysis/transfers/Transfers.h"

namespace autoprof::analysis {

/// Copies of fewer bytes on average are waits, not transfers.
constexpr uint64_t SmallTransfer = 64 * 1024;

/// Whether a transfer costs enough to be asked about: a hundredth of `Whole`,
/// ns, of the steps that count or of the run.
bool isWorthAsking(const TransferRow &Row, int64_t Whole);

/// Of the most expensive transfers that are worth it. `OfSteps`, `Full`: as for
/// answerWhatIfs.
std::vector<WhatIfRow> answerTransfers(const Replay &Player,
                                       const std::vector<TransferRow> &Rows,
                                       bool OfSteps, bool Full, int64_t Whole);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_REPLAY_TRANSFERWHATIFS_H
