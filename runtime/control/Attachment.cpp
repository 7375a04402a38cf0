// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/control/Attachment.h"

#include "runtime/control/Window.h"
#include "runtime/cupti/Driver.h"
#include "runtime/support/Log.h"

#include <atomic>
#include <mutex>

namespace autoprof::runtime {

namespace {

constexpr unsigned DestroyPatienceMs = 2000;

struct Attachment {
  const Settings *Chosen = nullptr;
  std::atomic<bool> Tried{false}; ///< CUPTI was started, successfully or not.
  std::atomic<bool> Ended{false};

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

void attachCupti() {
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
  CuptiStatus Status =
      startCupti(A.Chosen->Cupti, Use, {A.Chosen->StackPauseNs},
                 A.Chosen->Memory, A.Chosen->Graphs, Events, isWindowOpen());
  refreshWindow(); // The window may have opened meanwhile.
  if (Status.State != CuptiState::Ok)
    sayProbesOnly(Status);
  setStatus(std::move(Status));
}

// --- Why a process has no GPU work to record. A message is printed only if the
// user would miss something: a launcher that links CUDA, forks, and never uses
// CUDA itself gets none.

// CUPTI is on, so nothing is missing unless cuInit failed after it called us.
static const char *explainOn() {
  CudaState State = cudaState();
  return State == CudaState::NoDevice || State == CudaState::NotInitialized
             ? "CUDA found no usable GPU"
             : "";
}

static const char *explainOff(bool Recorded) {
  switch (cudaState()) {
  case CudaState::NoDevice:
    return "CUDA found no usable GPU";
  case CudaState::NotInitialized:
    return Recorded ? "CUDA was not initialized in this process" : "";
  case CudaState::Ready:
  case CudaState::Ended:
    return "the CUDA driver did not load the recorder (was "
           "CUDA_INJECTION64_PATH changed, is a debugger attached, or was the "
           "recorder loaded late?)";
  case CudaState::NoDriver:
    return Recorded ? "the CUDA driver (libcuda.so.1) is not in this process"
                    : "";
  case CudaState::Unknown:
    break;
  }
  return "";
}

// If the recording began, the status was reported then.
static std::string explainBusy(const CuptiStatus &Status, bool Recorded) {
  if (Recorded)
    return "";
  CudaState State = cudaState();
  return State == CudaState::Ready || State == CudaState::Ended ? Status.Reason
                                                                : "";
}

// A clause; "" if none is missing or this was reported before.
static std::string explainMissingCuda(const CuptiStatus &Status,
                                      bool Recorded) {
  switch (Status.State) {
  case CuptiState::Ok:
    return explainOn();
  case CuptiState::Off:
    return explainOff(Recorded);
  case CuptiState::Busy:
    return explainBusy(Status, Recorded);
  case CuptiState::Missing:
  case CuptiState::Refused:
    break;
  }
  return "";
}

std::string settleMissingCuda(bool Recorded) {
  CuptiStatus Status = cuptiStatus();
  std::string Missing = explainMissingCuda(Status, Recorded);
  if (!Missing.empty()) {
    Status.State = CuptiState::Off;
    Status.Reason = Missing;
    setStatus(std::move(Status));
  }
  return Missing;
}

void endAttachment() { attachment().Ended.store(true); }

} // namespace autoprof::runtime
