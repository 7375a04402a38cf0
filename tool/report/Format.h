// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers and places as people read them.
#pragma once

#include "analysis/common/Words.h"

namespace autoprof::report {

using analysis::bytes;
using analysis::comparedDurations;
using analysis::count;
using analysis::duration;
using analysis::durationChange;
using analysis::durations;
using analysis::percent;
using analysis::percents;
using analysis::place;
using analysis::placeAndCall;
using analysis::pValue;
using analysis::signedPercent;

} // namespace autoprof::report
