// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why the GPU was idle, before and after.
#ifndef AUTOPROF_REPORT_RECORDING_DIFFIDLE_H
#define AUTOPROF_REPORT_RECORDING_DIFFIDLE_H

#include "report/document/Document.h"
#include "report/recording/Report.h"

namespace autoprof::report {

/// ns, of one side: per step, or of the run; and its share, in millionths.
struct Idle {
  int64_t Time = 0, Share = 0;
};

struct CauseChange {
  analysis::Cause Kind;
  Idle Base, New;
};

/// Whether all runs have steps that count, or GPU work.
bool ofSteps(const analysis::Difference &D);
bool haveGpuWork(const analysis::Difference &D);

/// By the larger side, descending.
std::vector<CauseChange> causeChanges(const analysis::Difference &D);

/// Idle time by cause, of the steps where both sides have any, else of the
/// whole runs; of several runs the medians. Empty without GPU work.
Section causeChangeSection(const analysis::Difference &D);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_DIFFIDLE_H
