// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What light recording takes from CUPTI: callbacks at the calls that may wait
// for the GPU (WaitingCalls.def), and at nothing else. Functions that are not
// asked for cost nothing; launches are not.
#ifndef AUTOPROF_RUNTIME_CUPTI_WAITINGCALLS_H
#define AUTOPROF_RUNTIME_CUPTI_WAITINGCALLS_H

#include "runtime/cupti/Activity.h"
#include "runtime/cupti/CuptiLibrary.h"

namespace autoprof::runtime {

/// Has CUPTI call back at each of them.
CUptiResult watchWaitingCalls(const CuptiLibrary &Library,
                              CUpti_SubscriberHandle Subscriber);

/// Is it one of them? Thread-safe.
bool isWaitingCall(CUpti_CallbackDomain CallDomain, CUpti_CallbackId Id);

/// Makes the calls known that launch, copy or set: recording with stacks looks
/// for pauses between them. Before the first callback.
void findWorkCalls(const CuptiLibrary &Library);

/// Has CUPTI call back at those that are not waiting calls, or no more.
void watchWorkCalls(const CuptiLibrary &Library,
                    CUpti_SubscriberHandle Subscriber, bool Watch);

/// Is it a call made known by findWorkCalls()? Thread-safe.
bool isWorkCall(CUpti_CallbackDomain CallDomain, CUpti_CallbackId Id);

/// CUPTI calls back, before or behind the call: it becomes a CallRecord of
/// this thread (Probes.h).
void onWaitingCall(CUpti_CallbackDomain CallDomain, CUpti_CallbackId Id,
                   const CUpti_CallbackData &Call);

/// The name of CallRecord::Function, without version suffix. Thread-safe.
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

#endif // AUTOPROF_RUNTIME_CUPTI_WAITINGCALLS_H
