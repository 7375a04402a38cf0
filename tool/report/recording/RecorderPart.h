// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The effect of recording on the steps, in words and as JSON.
#ifndef AUTOPROF_REPORT_RECORDING_RECORDERPART_H
#define AUTOPROF_REPORT_RECORDING_RECORDERPART_H

#include "report/recording/Report.h"
#include "report/recording/Sentences.h"

namespace autoprof::report {

/// Nothing for recordings of other profilers, and for those that are not full.
void addRecorder(Lines &Output, const Input &Subject);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_RECORDERPART_H
