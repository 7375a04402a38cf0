// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why the GPU was idle, and where the CPU was meanwhile, before and after.
#ifndef AUTOPROF_REPORT_RECORDING_DIFFIDLE_H
#define AUTOPROF_REPORT_RECORDING_DIFFIDLE_H

#include "report/TextTable.h"
#include "report/recording/Report.h"

#include "llvm/Support/JSON.h"

namespace autoprof::report {

/// Idle time by cause, of the steps where both sides have any, else of the
/// whole runs; of several runs the medians. Empty without GPU work.
TextTable causeChangeTable(const analysis::Difference &D);
std::string causeChangeHeading(const analysis::Difference &D);

/// Idle time by what the CPU did, of the first run of each side. Places are the
/// same if their text is, or if only line numbers differ and no other row is
/// like them. Without `All` a few.
TextTable cpuChangeTable(const DiffInput &About, bool All);
std::string cpuChangeHeading(const analysis::Difference &D);

/// The attribute "idle": both tables.
void idleChangeJson(llvm::json::OStream &J, const DiffInput &About);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_DIFFIDLE_H
