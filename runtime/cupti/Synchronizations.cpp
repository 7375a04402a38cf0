// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cupti/Synchronizations.h"

#include "runtime/cupti/WaitingCalls.h"
#include "runtime/support/Clock.h"
#include "runtime/support/Loss.h"

#include <atomic>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

namespace autoprof::runtime {

namespace {

struct NamedCall {
  const char *Name;
  CUpti_ActivitySynchronizationType Type;
};

constexpr NamedCall Calls[] = {
    {"StreamSynchronize",
     CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE},
    {"StreamWaitEvent", CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT},
    {"EventSynchronize", CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE},
    {"DeviceSynchronize",
     CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE},
    {"ThreadSynchronize",
     CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE},
    {"CtxSynchronize",
     CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE}};

struct Kind {
  uint8_t Type;   ///< 0: not one of these calls.
  bool PerThread; ///< Stream 0 is the thread's own default stream.
  bool hasStream() const {
    return Type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE ||
           Type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT;
  }
};

// Indexed by CUPTI's function numbers, as in WaitingCalls.cpp. Written before
// the first callback.
constexpr size_t MostFunctions = 2048;
Kind OfRuntime[MostFunctions], OfDriver[MostFunctions];

/// The call that is open on a thread. Calls of the runtime may call the driver;
/// the outermost is recorded. Plain data, like ThreadState in Probes.cpp.
struct OpenCall {
  uint32_t Epoch; ///< In which Depth is counted.
  uint32_t Depth;
  uint64_t Begin;
};

struct Log {
  std::mutex M; // Held for a few instructions; no function is called under it.
  std::vector<Synchronization> Done;
};

} // namespace

static thread_local OpenCall Self
    __attribute__((tls_model("initial-exec"))) = {};

/// Changes with the set of calls that have callbacks.
static std::atomic<uint32_t> Epoch{1};

static Log &log() {
  static auto *L = new Log; // Leaked: CUPTI may call back late.
  return *L;
}

static Kind *kindsOf(CUpti_CallbackDomain CallDomain) {
  return CallDomain == CUPTI_CB_DOMAIN_DRIVER_API ? OfDriver : OfRuntime;
}

void findSynchronizations(const CuptiLibrary &Library) {
  auto Find = [&Library](CUpti_CallbackDomain CallDomain,
                         const std::string &Prefix) {
    forEachFunction(
        Library, CallDomain, [&](uint32_t Id, const std::string &Name) {
          for (const NamedCall &C : Calls) {
            if (Id >= MostFunctions || Name != Prefix + C.Name)
              continue;
            const char *Full = nullptr;
            Library.cuptiGetCallbackName(CallDomain, Id, &Full);
            kindsOf(CallDomain)[Id] = {static_cast<uint8_t>(C.Type),
                                       Full && strstr(Full, "_pts")};
          }
        });
  };
  Find(CUPTI_CB_DOMAIN_RUNTIME_API, "cuda");
  Find(CUPTI_CB_DOMAIN_DRIVER_API, "cu");
}

void watchSynchronizations(const CuptiLibrary &Library,
                           CUpti_SubscriberHandle Subscriber, bool Watch) {
  Epoch.fetch_add(1, std::memory_order_relaxed);
  for (CUpti_CallbackDomain CallDomain :
       {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_DRIVER_API})
    for (uint32_t Id = 0; Id < MostFunctions; ++Id)
      // With stacks, waiting calls have callbacks all the time.
      if (isSynchronization(CallDomain, Id) && !isWaitingCall(CallDomain, Id))
        Library.cuptiEnableCallback(Watch, Subscriber, CallDomain, Id);
}

bool isSynchronization(CUpti_CallbackDomain CallDomain, CUpti_CallbackId Id) {
  return Id < MostFunctions && kindsOf(CallDomain)[Id].Type;
}

// CUPTI's number of the stream, which is the first argument of these calls.
static uint32_t streamOf(const CuptiLibrary &Library,
                         const CUpti_CallbackData &Call, bool PerThread) {
  auto *Stream = *static_cast<CUstream const *>(Call.functionParams);
  if (Stream == CU_STREAM_LEGACY || Stream == CU_STREAM_PER_THREAD) {
    PerThread = Stream == CU_STREAM_PER_THREAD;
    Stream = nullptr;
  }
  uint32_t Number = 0;
  return Library.cuptiGetStreamIdEx(Call.context, Stream, PerThread, &Number) ==
                 CUPTI_SUCCESS
             ? Number
             : ~0u;
}

void onSynchronization(const CuptiLibrary &Library,
                       CUpti_CallbackDomain CallDomain, CUpti_CallbackId Id,
                       const CUpti_CallbackData &Call) {
  const uint32_t Now = Epoch.load(std::memory_order_relaxed);
  if (Self.Epoch != Now)
    Self = {Now, 0, 0};
  if (Call.callbackSite == CUPTI_API_ENTER) {
    if (Self.Depth++ == 0)
      Self.Begin = now();
    return;
  }
  if (Self.Depth == 0)
    return;
  --Self.Depth;
  if (Self.Depth > 0 || !Call.context)
    return;
  const Kind K = kindsOf(CallDomain)[Id];
  const Synchronization New = {
      K.Type,
      Call.contextUid,
      K.hasStream() ? streamOf(Library, Call, K.PerThread) : ~0u,
      Self.Begin,
      now(),
      Call.correlationId};
  const size_t MostWaiting = 1 << 20; // 48 MiB, if the disk is slow.
  Log &L = log();
  std::lock_guard<std::mutex> Lock(L.M);
  if (L.Done.size() < MostWaiting)
    L.Done.push_back(New);
  else
    Lost.CuptiDropped.fetch_add(1, std::memory_order_relaxed);
}

std::vector<Synchronization> takeSynchronizations() {
  Log &L = log();
  std::lock_guard<std::mutex> Lock(L.M);
  return std::exchange(L.Done, {});
}

} // namespace autoprof::runtime
