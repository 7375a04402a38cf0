// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What bounds a step, and what capturing it as a CUDA graph would bring.
#ifndef AUTOPROF_REPORT_RECORDING_LIMITS_H
#define AUTOPROF_REPORT_RECORDING_LIMITS_H

#include "report/recording/Sentences.h"

namespace autoprof::report {

/// Lines of the summary; none without steps on the GPU's clock.
void addLimits(Lines &Output, const Input &Subject);

/// What to do instead of what prevents a capture.
llvm::StringRef replacement(analysis::Obstacle O, bool IsPyTorch);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_LIMITS_H
