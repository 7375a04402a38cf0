// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each phase of a program holds (steps/Phases.h), so that a report about
// the steps of one of them does not hide the others.
#ifndef AUTOPROF_ANALYSIS_RESULT_PHASESUMS_H
#define AUTOPROF_ANALYSIS_RESULT_PHASESUMS_H

#include "analysis/stalls/Exposed.h"
#include "analysis/steps/Steps.h"

namespace autoprof::analysis {

/// Sums over all steps, warm-up included; ns.
struct PhaseSums {
  std::string Source, Name; ///< As in Steps.
  size_t Steps = 0;
  /// From the start of the first step's work to the end of the last one's, on
  /// the clock of the steps; without what other phases take in between.
  int64_t Time = 0;
  int64_t Gpu = 0;     ///< Of the operations launched in it.
  int64_t Waited = 0;  ///< Of its calls.
  int64_t Exposed = 0; ///< Of the waits that begin in it.

  int64_t mean() const { return Time / int64_t(std::max<size_t>(1, Steps)); }
};

/// First that of `S`, then its Others; empty without steps.
std::vector<PhaseSums> sumPhases(const trace::Timeline &T, const Steps &S,
                                 const std::vector<Wait> &Waits,
                                 const Exposure &Stalls);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_RESULT_PHASESUMS_H
