// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What bounds a step, and what capturing it as a CUDA graph would bring.
#ifndef AUTOPROF_REPORT_RECORDING_LIMITS_H
#define AUTOPROF_REPORT_RECORDING_LIMITS_H

#include "report/recording/Sentences.h"

#include "llvm/Support/JSON.h"

namespace autoprof::report {

/// Lines of the summary; none without steps on the GPU's clock.
void addLimits(Lines &Output, const Input &Subject);

/// Rows of what_if: the ideals, and capturing.
void writeLimits(llvm::json::OStream &J, const Input &Subject);

/// capture_blockers; null if nothing is known about capturing.
void writeBlockers(llvm::json::OStream &J, const Input &Subject);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_LIMITS_H
