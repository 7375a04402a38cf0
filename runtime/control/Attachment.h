// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether GPU work can be recorded in this process: when CUPTI is started, and
// how that went.
#pragma once

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

/// For when CUDA was initialised before the runtime was loaded, so that the
/// driver will not call us: watchCuda starts CUPTI instead.
void expectNoInjection();

/// Starts CUPTI; later calls do nothing. `Injected`: called by the driver,
/// before CUDA can be used. Thread-safe.
void attachCupti(bool Injected);

/// Checks whether CUDA is ready although the driver did not call us, and if so
/// starts CUPTI. The flush thread calls it each time it wakes.
void watchCuda();

/// To be called at the end of a process that asked for GPU work. Returns a
/// clause that explains why none was recorded, or "", and makes it the status.
/// `Recorded`: a recording began, because a probe was hit or the driver
/// injected us. `Instrumented`: a module has probes.
std::string settleMissingCuda(bool Recorded, bool Instrumented);

/// To be called when the process ends: from then on the recorder flushes
/// contexts, not their destruction.
void endAttachment();

} // namespace autoprof::runtime
