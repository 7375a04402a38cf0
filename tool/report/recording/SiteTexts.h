// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What reports say of sites beside their place.
#pragma once

#include "trace/timeline/Timeline.h"

namespace autoprof::report {

/// Fills in Site::Expression, the text of the expression that a recorded stack
/// begins in, where the columns are known and the source file is there and has
/// not changed since the recording began: "loss.item()".
void readExpressions(trace::Timeline &T);

/// Fills in Site::Label where different sites would read the same: with folders
/// of the path, the column, the function, or a number.
void labelSites(trace::Timeline &T);

} // namespace autoprof::report
