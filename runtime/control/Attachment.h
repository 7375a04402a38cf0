// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether GPU work can be recorded in this process: when CUPTI is started, and
// how that went.
#ifndef AUTOPROF_RUNTIME_CONTROL_ATTACHMENT_H
#define AUTOPROF_RUNTIME_CONTROL_ATTACHMENT_H

#include "runtime/control/Environment.h"
#include "runtime/cupti/Cupti.h"

namespace autoprof::runtime {

/// Must be called before the other functions here; `Chosen` must outlive the
/// process.
void prepareAttachment(const Settings &Chosen);

/// Whether anything that is to be recorded comes from CUPTI.
bool needsCupti(const Settings &Chosen);

/// The current status. Thread-safe.
CuptiStatus cuptiStatus();

/// Records that CUPTI will not be started, and why. Thread-safe.
void setCuptiStatus(CuptiState State, std::string Reason);

/// Reports once that CUPTI is not available, if the user would miss it.
void sayProbesOnly(const CuptiStatus &Status);

/// Starts CUPTI; later calls do nothing. Called by the driver, before CUDA can
/// be used: CUPTI is never started later, because the program's threads may be
/// in the driver by then. Thread-safe.
void attachCupti();

/// To be called at the end of a process that asked for GPU work. Returns a
/// clause that explains why none was recorded, or "", and makes it the status.
/// `Recorded`: a recording began, because a probe was hit or the driver
/// injected us.
std::string settleMissingCuda(bool Recorded);

/// To be called when the process ends: from then on the recorder flushes
/// contexts, not their destruction.
void endAttachment();

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_CONTROL_ATTACHMENT_H
