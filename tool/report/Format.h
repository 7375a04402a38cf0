// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers and places as people read them.
#ifndef AUTOPROF_REPORT_FORMAT_H
#define AUTOPROF_REPORT_FORMAT_H

#include "analysis/Words.h"

namespace autoprof::report {

using analysis::bytes;
using analysis::count;
using analysis::duration;
using analysis::durationChange;
using analysis::durations;
using analysis::percent;
using analysis::percents;
using analysis::place;
using analysis::pValue;
using analysis::signedPercent;

/// "train.cu:88 cudaMemcpy". An operator without a source line is its own name.
std::string placeAndCall(const trace::Timeline &T, uint32_t Site,
                         llvm::StringRef Call);
std::string placeAndCall(const trace::Site &S, llvm::StringRef Call);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_FORMAT_H
