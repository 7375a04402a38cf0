// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges of which the runtime omitted runs (runtime/probes/RangeThrottle.h).
#ifndef AUTOPROF_REPORT_RECORDING_THROTTLED_H
#define AUTOPROF_REPORT_RECORDING_THROTTLED_H

#include "report/recording/Report.h"

namespace autoprof::report {

/// How often a throttled range ran; nullopt where its recorded runs are not all
/// in the timeline.
std::optional<uint64_t> allRuns(const Input &Subject,
                                const trace::ThrottledRange &R);

/// One sentence for each of the ranges with most of these runs, and one for the
/// others.
std::vector<std::string> throttledLines(const Input &Subject);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_THROTTLED_H
