// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory over time and who holds it, where it was recorded.
#ifndef AUTOPROF_REPORT_RECORDING_MEMORYPART_H
#define AUTOPROF_REPORT_RECORDING_MEMORYPART_H

#include "report/TextTable.h"
#include "report/recording/Report.h"

namespace autoprof::report {

struct MemoryPart {
  std::string Heading;  ///< "Memory of GPU 0".
  std::string Summary;  ///< The peak, one or two sentences.
  TextTable Holders;    ///< At the peak.
  std::string AtTheEnd; ///< What was not freed, one sentence; or "".
};

/// One for each device, with the few that hold most, or all.
std::vector<MemoryPart> memoryParts(const Input &Subject, bool All = false);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_MEMORYPART_H
