// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_REPORT_RECORDING_SITELABELS_H
#define AUTOPROF_REPORT_RECORDING_SITELABELS_H

#include "trace/timeline/Timeline.h"

namespace autoprof::report {

/// Fills in Site::Label where different sites would read the same: with folders
/// of the path, the column, the function, or a number.
void labelSites(trace::Timeline &T);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_SITELABELS_H
