// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The profile: kernels, calls, ranges, memory operations and how the GPU was
// used.
#ifndef AUTOPROF_REPORT_RECORDING_PROFILE_H
#define AUTOPROF_REPORT_RECORDING_PROFILE_H

#include "report/TextTable.h"
#include "report/recording/Report.h"

namespace autoprof::report {

struct ProfileTable {
  std::string Heading;
  TextTable Table;
  size_t Hidden = 0;    ///< Rows that were left out.
  bool IsDrawn = false; ///< The page has it as a picture.
};

/// Those that have rows, 15 at most in each without TextStyle::All.
std::vector<ProfileTable> profileTables(const Input &Subject,
                                        const TextStyle &Style);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_PROFILE_H
