// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/control/Attachment.h"

#include "runtime/control/Window.h"
#include "runtime/cupti/Driver.h"
#include "runtime/support/Clock.h"
#include "runtime/support/Log.h"

#include <atomic>
#include <dlfcn.h>
#include <mutex>

namespace autoprof::runtime {

namespace {

/// If the driver has not injected us this long after CUDA became ready, it
/// never will.
constexpr uint64_t InjectionPatienceNs = 200'000'000;
constexpr unsigned DestroyPatienceMs = 2000;

struct Attachment {
  const Settings *Chosen = nullptr;
  std::atomic<bool> Tried{false}; ///< CUPTI was started, successfully or not.
  std::atomic<bool> WasReady{false}; ///< CUDA was seen ready, with a GPU.
  std::atomic<bool> Ended{false};
  /// CUDA was initialised before this library was loaded.
  bool CameLate = false;
  /// A debugger is attached. Owned by the flush thread.
  bool LeaveCupti = false;

  std::mutex StatusMutex;
  CuptiStatus Status;
};

} // namespace

static Attachment &attachment() {
  static auto *A = new Attachment; // Leaked: CUPTI's threads may use it late.
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

// As soon as CUPTI calls back for any function, each launch takes about 0.4 us
// longer (H200, CUDA 13.0), so light recording does without CUPTI.
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
  // CUPTI cannot record launches of graphs that were instantiated before
  // GRAPH_TRACE was enabled (Cupti.cpp).
  const GraphRecords Graphs = Injected ? A.Chosen->Graphs : GraphRecords::Nodes;
  CuptiStatus Status =
      startCupti(A.Chosen->Cupti, Use, {A.Chosen->StackPauseNs},
                 A.Chosen->Memory, Graphs, Events, Injected, isWindowOpen());
  refreshWindow(); // The window may have opened meanwhile.
  if (Status.State != CuptiState::Ok)
    sayProbesOnly(Status);
  setStatus(std::move(Status));
}

// The driver injects before CUDA is ready. If CUDA is ready and the driver has
// not injected us for a while, it never will. A GPU debugger takes the
// recorder's place as the injected library, and then CUPTI must not be started.
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

// --- Why a process has no GPU work to record. A message is printed only if the
// user would miss something: a launcher that links CUDA, forks, and never uses
// CUDA itself gets none.

namespace {
struct Attempt {
  CuptiStatus Cupti; ///< The current status.
  /// A recording began: a probe was hit, or the driver injected us.
  bool Recorded;
  bool Instrumented; ///< A module has probes.
  bool WasReady;     ///< CUDA was seen ready, with a GPU.
};
} // namespace

static bool hasRuntimeLibrary() {
  return dlopen("libcudart.so.13", RTLD_NOW | RTLD_NOLOAD) ||
         dlopen("libcudart.so.12", RTLD_NOW | RTLD_NOLOAD);
}

// CUPTI is on, so nothing is missing unless cuInit failed after it called us.
static const char *explainOn(const Attempt &Done) {
  if (Done.WasReady)
    return "";
  CudaState State = cudaState();
  return State == CudaState::NoDevice || State == CudaState::NotInitialized
             ? "CUDA found no usable GPU"
             : "";
}

static const char *explainOff(const Attempt &Done) {
  switch (cudaState()) {
  case CudaState::NoDevice:
    return "CUDA found no usable GPU";
  case CudaState::NotInitialized:
    return Done.Recorded ? "CUDA was not initialized in this process" : "";
  case CudaState::Ready:
  case CudaState::Ended:
    return isTraced() ? "a debugger keeps the CUDA driver from loading the "
                        "recorder"
                      : "the CUDA driver did not load the recorder (was "
                        "CUDA_INJECTION64_PATH changed?)";
  case CudaState::NoDriver:
    // Many programs are built with CUDA but do not use it in this process. If a
    // driver is installed, the program did not need it.
    if (!isDriverInstalled() &&
        (Done.Recorded || Done.Instrumented || hasRuntimeLibrary()))
      return "no CUDA driver (libcuda.so.1) was found";
    return Done.Recorded
               ? "the CUDA driver (libcuda.so.1) is not in this process"
               : "";
  case CudaState::Unknown:
    break;
  }
  return "";
}

// If the recording began, the status was reported then.
static std::string explainBusy(const Attempt &Done) {
  if (Done.Recorded)
    return "";
  CudaState State = cudaState();
  return State == CudaState::Ready || State == CudaState::Ended
             ? Done.Cupti.Reason
             : "";
}

// A clause; "" if none is missing or this was reported before.
static std::string explainMissingCuda(const Attempt &Done) {
  switch (Done.Cupti.State) {
  case CuptiState::Ok:
    return explainOn(Done);
  case CuptiState::Off:
    return explainOff(Done);
  case CuptiState::Busy:
    return explainBusy(Done);
  case CuptiState::Missing:
  case CuptiState::Refused:
    break;
  }
  return "";
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
