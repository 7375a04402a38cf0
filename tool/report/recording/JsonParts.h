// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of the JSON about recordings: attributes of an object that is open.
#ifndef AUTOPROF_REPORT_RECORDING_JSONPARTS_H
#define AUTOPROF_REPORT_RECORDING_JSONPARTS_H

#include "report/recording/Report.h"

#include "llvm/Support/JSON.h"

namespace autoprof::report {

/// apis[], kernels[], memory_operations[], ranges[], utilization{}.
void profileJson(llvm::json::OStream &J, const Input &Subject);

/// before and after of a reason; `Row`: into Result::Busy, or None.
void busyEndsJson(llvm::json::OStream &J, const Input &Subject, uint32_t Row);
/// cpu_busy[], of the run or of the steps.
void busyCpuJson(llvm::json::OStream &J, const Input &Subject,
                 analysis::BusySums analysis::BusyRow::*Sums);

void recorderJson(llvm::json::OStream &J, const Input &Subject);

/// device_memory[]; null where it was not recorded.
void deviceMemoryJson(llvm::json::OStream &J, const Input &Subject);

/// findings[]: the waits first.
void findingsJson(llvm::json::OStream &J, const Input &Subject);

/// what_if[], and what belongs to it.
void writeWhatIfs(llvm::json::OStream &J, const Input &Subject);
/// transfers[], replay_constants{}.
void writeTransfers(llvm::json::OStream &J, const Input &Subject);
/// expected_gain of a site.
void expectedGainJson(llvm::json::OStream &J, const Input &Subject,
                      const analysis::SiteRow &Row);

/// proof; null: nothing is known.
void writeProof(llvm::json::OStream &J, const analysis::Difference *D);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_JSONPARTS_H
