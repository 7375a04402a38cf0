// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a report promises for a change of one site. A gain is a promise about
// the unrecorded program, so the replay's answer for unrecorded runs comes
// first. The answer for the recorded run takes its place if there is no such
// answer: in other profilers' traces, or for one wait of many.
#ifndef AUTOPROF_ANALYSIS_RESULT_EXPECTEDGAIN_H
#define AUTOPROF_ANALYSIS_RESULT_EXPECTEDGAIN_H

#include "analysis/result/Result.h"

namespace autoprof::analysis {

struct ExpectedGain {
  Estimate Saved;         ///< ns per step, where PerStep; else of the run.
  Gain Operator;          ///< The part of Saved that is an operator's CPU time.
  int64_t Whole = 0;      ///< ns, what it is a share of: a step, or the run.
  int64_t Resolution = 0; ///< See resolution(); 0 of the recorded run.
  /// Into Result::Sites: calls that would wait in place of this one, and are
  /// changed with it.
  llvm::ArrayRef<uint32_t> Along;
  bool PerStep = false;
  bool Recorded = false; ///< Of the recorded run.
  /// The object that the call creates or destroys is created only once.
  bool CreatedOnce = false;

  /// Whether the change is worth making; in a recorded run, whether it may be.
  bool isWorthIt() const {
    const int64_t Decisive = Recorded ? Saved.High : Saved.Middle;
    return double(Decisive) >= WorthIt * double(Whole);
  }

  /// The same, if the operator around the call stayed.
  bool isWaitWorthIt() const {
    ExpectedGain OfWait = *this;
    OfWait.Saved.Middle -= (Operator.Low + Operator.High) / 2;
    OfWait.Saved.High -= Operator.High;
    return OfWait.isWorthIt();
  }

  /// Whether runs with and without the change can be told apart.
  bool isMeasurable() const { return Saved.Middle > Resolution; }
};

/// The change that a verdict recommends; None: none.
Edit editOf(Verdict V);

/// Of a row of Result::Sites; nullopt where no replay has an answer. Refers to
/// `R`. If a change of this call alone would only move its wait to the next
/// ones, the gain is that of changing all of them.
std::optional<ExpectedGain> expectedGain(const Result &R, uint32_t Row,
                                         Edit Kind);

/// Of one answer of R.WhatIfs in a run that is not recorded, per step where
/// there are steps: of the median step if at least half of the steps have what
/// it changes, else of the mean step. nullopt where the answer has none.
std::optional<ExpectedGain> expectedGainOf(const Result &R,
                                           const WhatIfRow &Answer);

/// What the median step takes when it is not recorded, ns: that of the
/// recorder's effect, where it is known, else as replayed.
std::optional<int64_t> unrecordedStep(const Result &R);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_RESULT_EXPECTEDGAIN_H
