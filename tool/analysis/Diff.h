// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two recordings of one program, before and after a change.
#ifndef AUTOPROF_ANALYSIS_DIFF_H
#define AUTOPROF_ANALYSIS_DIFF_H

#include "analysis/Analysis.h"
#include "analysis/Statistics.h"

namespace autoprof::analysis {

/// One recording with what was found in it.
struct Recording {
  const trace::Timeline &T;
  const Result &R;
};

struct SiteChange {
  const SiteRow *Base = nullptr, *New = nullptr; ///< Null: not on that side.
  /// ns of wait and exposed stall on either side per step, without what lies
  /// outside the steps; or over the whole run when a side has no steps. Unknown
  /// waits are nullopt.
  std::optional<int64_t> BaseWait, NewWait, BaseExposed, NewExposed;
};

struct StepChange {
  size_t BaseCount = 0, NewCount = 0;    ///< Steps compared, without warm-up.
  int64_t BaseMedian = 0, NewMedian = 0; ///< ns
  int64_t BaseLead = 0, NewLead = 0;     ///< ns queued at the end of a step.
  double Change = 0;                     ///< NewMedian / BaseMedian - 1.
  Interval Range{0, 0};                  ///< 95 % interval of Change.
  double P = 1;                          ///< Mann-Whitney U.
  bool Enough = false;      ///< Whether there are steps enough to tell.
  bool Significant = false; ///< P below 0.01 and 0 outside the interval.
};

struct Difference {
  /// nullopt: a side has no steps, or the sides' steps are not the same range
  /// on the same clock.
  std::optional<StepChange> Step;
  std::vector<SiteChange> Sites; ///< By change of wait, largest first.
  bool PerStep = false;          ///< Whether waits and stalls are per step.
};

/// Makes New's steps the runs of Base's range, where New has it.
void alignSteps(const Result &Base, const trace::Timeline &NewT, Result &New);

/// Sites are matched by id, calls without a source line by name. Both must
/// outlive the result.
Difference compare(const Recording &Base, const Recording &New);

/// Fewer steps than this on a side are too few to tell.
constexpr size_t MinSteps = 8;

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_DIFF_H
