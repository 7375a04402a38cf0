// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of the expressions that recorded stacks begin in.
#ifndef AUTOPROF_REPORT_RECORDING_EXPRESSIONS_H
#define AUTOPROF_REPORT_RECORDING_EXPRESSIONS_H

#include "trace/timeline/Timeline.h"

namespace autoprof::report {

/// Fills in Site::Expression where the columns are known and the source file is
/// there and has not changed since the recording began: "loss.item()".
void readExpressions(trace::Timeline &T);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_EXPRESSIONS_H
