// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/control/Attachment.h"

#include "runtime/control/Window.h"
#include "runtime/cupti/Driver.h"
#include "runtime/cupti/Missing.h"
#include "runtime/support/Clock.h"
#include "runtime/support/Log.h"

#include <atomic>
#include <mutex>

namespace autoprof::runtime {

namespace {

/// So long after CUDA was seen ready the driver would have injected.
constexpr uint64_t InjectionPatienceNs = 200'000'000;
constexpr unsigned DestroyPatienceMs = 2000;

struct Attachment {
  const Settings *Chosen = nullptr;
  std::atomic<bool> Tried{false};    ///< CUPTI was started, or it was tried.
  std::atomic<bool> WasReady{false}; ///< CUDA had a GPU at some time.
  std::atomic<bool> Ended{false};
  bool CameLate = false;   ///< Loaded when CUDA was initialised already.
  bool LeaveCupti = false; ///< A debugger is there. The flush thread's.

  std::mutex StatusMutex;
  CuptiStatus Status;
};

} // namespace

static Attachment &attachment() {
  static auto *A = new Attachment; // Leaked: CUPTI's threads come late.
  return *A;
}

void prepareAttachment(const Settings &Chosen) {
  attachment().Chosen = &Chosen;
}

static void setStatus(CuptiStatus Status) {
  Attachment &A = attachment();
  std::lock_guard<std::mutex> Lock(A.StatusMutex);
  A.Status = std::move(Status);
}

void setCuptiStatus(CuptiState State, std::string Reason) {
  CuptiStatus Status;
  Status.State = State;
  Status.Reason = std::move(Reason);
  setStatus(std::move(Status));
}

CuptiStatus cuptiStatus() {
  Attachment &A = attachment();
  std::lock_guard<std::mutex> Lock(A.StatusMutex);
  return A.Status;
}

void sayProbesOnly(const CuptiStatus &Status) {
  static std::atomic<bool> Said{false};
  if (!Said.exchange(true))
    warn("%s; the trace contains only probes", Status.Reason.c_str());
}

void expectNoInjection() { attachment().CameLate = true; }

static void onContextDestroy() {
  if (!attachment().Ended.load())
    flushCupti(/*Forced=*/true, DestroyPatienceMs);
}

static void onFatalError() {
  static std::atomic<bool> Said{false};
  if (!Said.exchange(true))
    warn("CUPTI met a fatal error; later GPU work may be missing from the "
         "trace");
}

// CUPTI costs each launch about 0.4 us as soon as it calls back anywhere (H200,
// CUDA 13.0): light recording does without.
bool needsCupti(const Settings &Chosen) {
  return Chosen.RecordingMode != Mode::Light || Chosen.Calls ||
         Chosen.Window.Kind == WindowKind::ProfilerApi;
}

void attachCupti(bool Injected) {
  Attachment &A = attachment();
  if (!needsCupti(*A.Chosen) || A.Tried.exchange(true))
    return;
  CuptiEvents Events = {onContextDestroy, onFatalError};
  if (A.Chosen->Window.Kind == WindowKind::ProfilerApi) {
    Events.OnProfilerStart = openWindow;
    Events.OnProfilerStop = closeWindow;
  }
  const CuptiUse Use = A.Chosen->RecordingMode != Mode::Full
                           ? CuptiUse::WaitingCalls
                       : A.Chosen->Stacks ? CuptiUse::ActivityAndStacks
                                          : CuptiUse::Activity;
  // CUPTI cannot record launches of graphs that were made before it was told
  // to (Cupti.cpp).
  const GraphRecords Graphs = Injected ? A.Chosen->Graphs : GraphRecords::Nodes;
  CuptiStatus Status =
      startCupti(A.Chosen->Cupti, Use, {A.Chosen->StackPauseNs},
                 A.Chosen->Memory, Graphs, Events, Injected, isWindowOpen());
  refreshWindow(); // It may have opened meanwhile.
  if (Status.State != CuptiState::Ok)
    sayProbesOnly(Status);
  setStatus(std::move(Status));
}

// The driver injects before CUDA is ready, so one that is ready and has not
// injected for a while never will. A debugger for the GPU takes the place of
// the recorder, and CUPTI then has no business there.
void watchCuda() {
  static uint64_t ReadySince = 0;
  Attachment &A = attachment();
  bool MayAttach = needsCupti(*A.Chosen) && !A.Tried.load() && !A.LeaveCupti &&
                   cuptiStatus().State == CuptiState::Off;
  if ((A.WasReady.load() && !MayAttach) || cudaState() != CudaState::Ready)
    return;
  A.WasReady.store(true);
  if (ReadySince == 0)
    ReadySince = now();
  if (!MayAttach)
    return;
  if (A.CameLate)
    return attachCupti(/*Injected=*/false);
  if (now() - ReadySince < InjectionPatienceNs)
    return;
  if (isTraced()) {
    A.LeaveCupti = true;
    return;
  }
  warn("the CUDA driver did not load the recorder (was CUDA_INJECTION64_PATH "
       "changed?); GPU work up to now is missing from the trace");
  attachCupti(/*Injected=*/false);
}

std::string settleMissingCuda(bool Recorded, bool Instrumented) {
  CuptiStatus Status = cuptiStatus();
  std::string Missing = explainMissingCuda(
      {Status, Recorded, Instrumented, attachment().WasReady.load()});
  if (!Missing.empty()) {
    Status.State = CuptiState::Off;
    Status.Reason = Missing;
    setStatus(std::move(Status));
  }
  return Missing;
}

void endAttachment() { attachment().Ended.store(true); }

} // namespace autoprof::runtime
