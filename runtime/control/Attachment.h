// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether GPU work can be recorded in this process: when CUPTI is started, and
// how that went.
#ifndef AUTOPROF_RUNTIME_CONTROL_ATTACHMENT_H
#define AUTOPROF_RUNTIME_CONTROL_ATTACHMENT_H

#include "runtime/control/Environment.h"
#include "runtime/cupti/Cupti.h"

namespace autoprof::runtime {

/// Before anything else here; `Chosen` must live as long as the process.
void prepareAttachment(const Settings &Chosen);

/// Whether what is recorded comes from CUPTI.
bool needsCupti(const Settings &Chosen);

/// How it stands now. Thread-safe.
CuptiStatus cuptiStatus();

/// That CUPTI will not be started, and why. Thread-safe.
void setCuptiStatus(CuptiState State, std::string Reason);

/// Says once that CUPTI is not there, if it is not and somebody should know.
void sayProbesOnly(const CuptiStatus &Status);

/// CUDA was initialised before the runtime came, so the driver will not call
/// us: watchCuda starts CUPTI.
void expectNoInjection();

/// Starts CUPTI; at the first call only. `Injected`: by the driver, before CUDA
/// can be used. Thread-safe.
void attachCupti(bool Injected);

/// Looks whether CUDA is ready without having called us, and then starts CUPTI.
/// For the flush thread, at every turn.
void watchCuda();

/// At the end of a process that wanted GPU work: one clause that says why there
/// is none, or "". It becomes the status. `Recorded`, `Instrumented`: see
/// Attempt.
std::string settleMissingCuda(bool Recorded, bool Instrumented);

/// The process ends: contexts are flushed by the recorder, not on their
/// destruction.
void endAttachment();

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_CONTROL_ATTACHMENT_H
