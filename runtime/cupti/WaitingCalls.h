// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Light recording's use of CUPTI: callbacks only at the calls that may wait for
// the GPU (WaitingCalls.def). Functions without callbacks cost nothing, and
// launches have none.
#pragma once

#include "runtime/cupti/Activity.h"
#include "runtime/cupti/CuptiLibrary.h"

namespace autoprof::runtime {

/// Makes CUPTI call back at each of these calls.
CUptiResult watchWaitingCalls(const CuptiLibrary &Library,
                              CUpti_SubscriberHandle Subscriber);

/// Whether it is one of these calls. Thread-safe.
bool isWaitingCall(CUpti_CallbackDomain CallDomain, CUpti_CallbackId Id);

/// Finds the calls that launch, copy or set: recording with stacks looks for
/// pauses between them. To be called before the first callback.
void findWorkCalls(const CuptiLibrary &Library);

/// Starts or stops callbacks at the calls that findWorkCalls() found, other
/// than waiting calls.
void watchWorkCalls(const CuptiLibrary &Library,
                    CUpti_SubscriberHandle Subscriber, bool Watch);

/// Whether it is a call that findWorkCalls() found. Thread-safe.
bool isWorkCall(CUpti_CallbackDomain CallDomain, CUpti_CallbackId Id);

/// Handles CUPTI's callbacks before and after the call, which becomes a
/// CallRecord of this thread (Probes.h).
void onWaitingCall(CUpti_CallbackDomain CallDomain, CUpti_CallbackId Id,
                   const CUpti_CallbackData &Call);

/// The name of CallRecord::Function, without its version suffix. Thread-safe.
const char *waitingCallName(uint64_t Function);

/// Calls `Choose(callback, name without suffix)` for every function.
template <typename Function>
void forEachFunction(const CuptiLibrary &Library,
                     CUpti_CallbackDomain CallDomain, Function Choose) {
  const char *Name = nullptr;
  for (uint32_t Id = 1;
       Library.cuptiGetCallbackName(CallDomain, Id, &Name) == CUPTI_SUCCESS &&
       Name;
       ++Id)
    Choose(Id, stripVersion(Name));
}

} // namespace autoprof::runtime
