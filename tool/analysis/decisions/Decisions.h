// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the replays' answers mean: the one place where sums of the recorded run
// and of unrecorded ones become the gain of a change, and where what is worth a
// change is decided.
#pragma once

#include "analysis/result/Result.h"

namespace autoprof::analysis {

/// What a plan gains, per step where there are steps: in a run that is not
/// recorded, or, where the answer has nothing about that, in the recorded one.
/// Gains are of the mean step: users pay for all steps, also for the few that
/// take long.
ExpectedGain gainOf(const Result &R, const PlanAnswer &Answer);

/// Of one row of Result::Sites, removed alone; nullopt: it is not known whether
/// it waits.
std::optional<ExpectedGain> gainOfRemoving(const Result &R, uint32_t Row);

/// The lines at which a thread sleeps until another one has waited for the GPU,
/// and what they cost: a step is as long as its CPU thread takes, or its GPU.
std::vector<LineChange> weighLines(const Result &R);

/// Whether a form of this call leaves its result on the GPU: BLAS with device
/// pointers.
bool canLeaveResult(llvm::StringRef Call);

/// What could be changed about a program, and how: its waits, its allocations,
/// its memory pool and its copies, each with the least and the most that an
/// engineer would do about it. Of the steps that count, or of the run where
/// there are none. Waits that cost little alone are one candidate together.
/// Needs the rows and the transfers.
std::vector<Candidate> findCandidates(const trace::Timeline &T,
                                      const Attribution &A,
                                      const WaitList &List, const Result &R);

/// Sets what is advised for each row that waits, or would wait if others did
/// not: Judged, as if all were worth a change.
void advise(const trace::Timeline &T, const Attribution &A,
            const WaitList &List, std::vector<SiteRow> &Rows);

/// The last stage of an analysis: what is worth a change. Sets the verdicts and
/// promises of Result::Sites, and Result::Decided. Needs the waits and all that
/// was replayed.
void decide(const trace::Timeline &T, Result &R);

} // namespace autoprof::analysis
