// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happened to the waits between two sides of a difference, in one
// sentence.
#ifndef AUTOPROF_REPORT_RECORDING_DIFFWAITS_H
#define AUTOPROF_REPORT_RECORDING_DIFFWAITS_H

#include "analysis/comparison/Diff.h"

#include <string>

namespace autoprof::report {

/// Whether all recordings have GPU work.
bool waitsKnown(const analysis::Difference &D);

/// The GPU's span, ns, median over the runs of a side.
int64_t span(const std::vector<analysis::RunSummary> &Side);

/// Without a period: "a.cu:5 cudaMemcpy no longer waits (9 us per step before),
/// and a.cu:9 cudaEventSynchronize now waits 8 us per step".
std::string waitSentence(const analysis::Difference &D);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_DIFFWAITS_H
