// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the replays' answers mean: the one place where sums of the recorded run
// and of unrecorded ones become the gain of a change, and where what is worth a
// change is decided.
#ifndef AUTOPROF_ANALYSIS_DECISIONS_DECISIONS_H
#define AUTOPROF_ANALYSIS_DECISIONS_DECISIONS_H

#include "analysis/result/Result.h"

namespace autoprof::analysis {

/// Of a row of Result::Sites; nullopt where no replay has an answer. If a
/// change of this call alone would only move its wait to the next ones, the
/// gain is that of changing all of them.
std::optional<ExpectedGain> expectedGain(const Result &R, uint32_t Row,
                                         Edit Kind);

/// Of one answer of R.WhatIfs in a run that is not recorded, per step where
/// there are steps: of the median step if at least half of the steps have what
/// it changes, else of the mean step. nullopt where the answer has none.
std::optional<ExpectedGain> expectedGainOf(const Result &R,
                                           const WhatIfRow &Answer);

/// Of an answer about a transfer: the same, or of the recorded run.
ExpectedGain transferGain(const Result &R, const WhatIfRow &Answer);

/// The last stage of an analysis: what is worth a change. Sets the verdicts and
/// promises of Result::Sites, and Result::Decided. Needs the waits and all that
/// was replayed.
void decide(const trace::Timeline &T, Result &R);

/// What the median step takes when it is not recorded, ns: that of the
/// recorder's effect, where it is known, else as replayed.
std::optional<int64_t> unrecordedStep(const Result &R);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_DECISIONS_DECISIONS_H
