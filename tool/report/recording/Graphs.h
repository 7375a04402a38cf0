// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_REPORT_RECORDING_GRAPHS_H
#define AUTOPROF_REPORT_RECORDING_GRAPHS_H

#include "report/recording/Report.h"

namespace autoprof::report {

/// What the recording does not show about launches of CUDA graphs, in
/// sentences.
std::vector<std::string> graphLines(const Input &Subject);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_GRAPHS_H
