// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The phases of a program, in words.
#ifndef AUTOPROF_REPORT_RECORDING_PHASES_H
#define AUTOPROF_REPORT_RECORDING_PHASES_H

#include "report/recording/Report.h"

namespace autoprof::report {

/// ns, what shares of phases are of: from the first to the last GPU operation;
/// without any, the run.
int64_t phaseBasis(const analysis::Result &R);

/// Of a phase whose waits leave the GPU idle, where those of the steps are not
/// worth a change: one sentence; "": there is none.
std::string elsewhereSentence(const Input &Subject);

/// What the other phases hold, a line each: "loop at main.cu:576 in main: 1,000
/// steps of 262 us, 5.0 % of the time, waits 239 us per step:
/// --step=loop:main.cu:576". Phases with less than a hundredth of the time are
/// left out.
std::vector<std::string> otherPhases(const Input &Subject);

/// ", 92.6 % of the time": of the steps, if there are other phases; else "".
std::string phaseShare(const Input &Subject);

/// What the steps hold most of, with the option that selects it; "": nothing.
std::string innerText(const Input &Subject);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_PHASES_H
