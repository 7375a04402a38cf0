// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/Loading.h"

#include "runtime/control/Attachment.h"
#include "runtime/control/Recorder.h"
#include "runtime/control/Window.h"
#include "runtime/cupti/Driver.h"
#include "runtime/probes/Modules.h"
#include "runtime/probes/Nvtx.h"
#include "runtime/probes/Probes.h"
#include "runtime/probes/UserNvtx.h"
#include "runtime/support/Memory.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/single_threaded.h>
#include <sys/stat.h>

namespace autoprof::runtime {

static bool IsPrepared = false; // Set by onLoad.

// The longest time for which the program's fork waits for all mutexes together.
// Each is normally held for at most 1 ms, unless its holder is preempted or
// CUPTI hangs.
static constexpr std::chrono::seconds ForkPatience{1};
static constexpr unsigned ForkMutexes = 3;

// The mutexes that the forking thread holds. Its child inherits the array.
static thread_local bool IsPaused[ForkMutexes]
    __attribute__((tls_model("initial-exec"))) = {};

static ForkMutex &forkMutex(unsigned Index) {
  return Index == 0   ? scanMutex()
         : Index == 1 ? nvtxNamesMutex()
                      : windowMutex();
}

static void beforeFork() {
  const auto Deadline = std::chrono::steady_clock::now() + ForkPatience;
  for (unsigned I = 0; I < ForkMutexes; ++I)
    IsPaused[I] = forkMutex(I).pause(Deadline);
}

static void onForkParent() {
  for (unsigned I = 0; I < ForkMutexes; ++I)
    if (IsPaused[I])
      forkMutex(I).resume();
}

static void onForkChild() {
  bool IsWhole = true;
  for (unsigned I = 0; I < ForkMutexes; ++I) {
    IsWhole = IsWhole && IsPaused[I];
    if (!IsPaused[I])
      forkMutex(I).lose();
  }
  onForkParent();
  leaveRecordingToParent(IsWhole);
}

static std::string ownPath() {
  Dl_info Info;
  if (!dladdr(reinterpret_cast<const void *>(&ownPath), &Info) ||
      !Info.dli_fname)
    return "";
  char *Real = realpath(Info.dli_fname, nullptr);
  std::string Result = Real ? Real : "";
  free(Real);
  return Result;
}

static bool isSameFile(const char *Left, const char *Right) {
  struct stat A, B;
  return strcmp(Left, Right) == 0 || // In a chroot neither may be there.
         (stat(Left, &A) == 0 && stat(Right, &B) == 0 && A.st_dev == B.st_dev &&
          A.st_ino == B.st_ino);
}

// Nsight Compute terminates a program in which CUDA_INJECTION64_PATH is set.
// Its target library hides LD_PRELOAD, so this variable is what shows that it
// is there.
static bool isUnderNsightCompute() {
  return getenv("NV_COMPUTE_PROFILER_PERFWORKS_DIR");
}

// Other threads may be reading the environment, so it may change only while
// there is a single thread: when this library is preloaded or linked. glibc's
// flag may report several threads when there is one, but never the reverse.
static bool mayChangeEnvironment() { return __libc_single_threaded; }

static void sayNotSet(const char *Variable, const std::string &Value,
                      const char *Consequence) {
  settings().Problems.push_back(
      std::string(Variable) +
      " could not be set, because the library was loaded while other threads "
      "ran: " +
      Consequence + "; use 'autoprof run', or set it to " + Value);
}

// Makes the driver call InitializeInjection when CUDA initialises.
static void askForInjection() {
  const char *Variable = "CUDA_INJECTION64_PATH";
  std::string Own = ownPath();
  const char *Named = getenv(Variable);
  const bool IsOwn = Named && isSameFile(Named, Own.c_str());
  if (isUnderNsightCompute()) {
    if (IsOwn && mayChangeEnvironment())
      unsetenv(Variable); // Set by the process that started Nsight Compute.
    setCuptiStatus(CuptiState::Busy, "Nsight Compute runs the program");
    return;
  }
  if (IsOwn)
    return; // The driver is opening this library now or will do so.
  if (Named && *Named) {
    setCuptiStatus(CuptiState::Busy,
                   std::string(Variable) + " names another tool: " + Named);
    return;
  }
  // The program opened this library late.
  if (cudaState() == CudaState::Ready) {
    expectNoInjection();
    startRecording(/*WithCupti=*/false); // The flush thread starts CUPTI.
  } else if (mayChangeEnvironment()) {
    if (!Own.empty())
      setenv(Variable, Own.c_str(), 1);
  } else {
    expectNoInjection();
    if (needsCupti(settings()))
      sayNotSet(Variable, Own,
                "GPU work is recorded only after the first probe or NVTX call, "
                "and not in the first 0.2 s of CUDA");
  }
}

// Makes NVTX call InitializeInjectionNvtx2 at the program's first NVTX call.
static void askForNvtx() {
  const char *Variable = "NVTX_INJECTION64_PATH";
  std::string Own = ownPath();
  const char *Named = getenv(Variable);
  if (!Named || !*Named) {
    if (!mayChangeEnvironment())
      sayNotSet(Variable, Own,
                "the program's own NVTX ranges, if any, are not in "
                "the trace");
    else if (!Own.empty())
      setenv(Variable, Own.c_str(), 1);
  } else if (!isSameFile(Named, Own.c_str())) {
    settings().Problems.push_back(
        std::string(Variable) + " names another tool (" + Named +
        "), which stays in use: the program's own NVTX ranges are not in "
        "the trace");
  }
}

// --- The program's requests through include/autoprof/autoprof.h

static constexpr const char *StepName = "step";

// As AP_TABLE's rows: which range is the program's step.
static constexpr const char *StepRow =
    "0x6175746f70726f66|step|0|0||autoprof_step|range:step;";

static std::atomic<bool> IsRecorder{false};

// A range that any thread may end: a step lasts from one call to the next. It
// is recorded like the program's own NVTX calls, and passed to an NVTX tool if
// one other than autoprof is loaded.
static void step() {
  static std::atomic<uint32_t> Current{0};
  static std::atomic<bool> IsMarked{false};
  if (!IsMarked.exchange(true))
    addTable(StepRow);
  const uint32_t Next = newNvtxRangeId();
  if (uint32_t Last = Current.exchange(Next))
    recordNvtxEnd(Last);
  nextStep();
  recordNvtxStart(StepName, Next);
  stepNvtx(StepName);
}

// Carries out `Request` if this process is to be recorded. Returns what the API
// function returns. Thread-safe.
static int control(autoprof_request Request) {
  const int ErrnoBefore = errno;
  const bool Records = IsRecorder.load(std::memory_order_relaxed);
  switch (Request) {
  case AUTOPROF_START:
    if (Records)
      openWindow();
    break;
  case AUTOPROF_STOP:
    if (Records)
      closeWindow();
    break;
  case AUTOPROF_STEP:
    step();
    break;
  default: // Of an older header.
    return 0;
  }
  errno = ErrnoBefore;
  return Records;
}

// --- The ways in

static void onFirstProbe() {
  if (settings().RecordingMode != Mode::Nvtx)
    startRecording(/*WithCupti=*/false);
}

void onLoad() {
  if (!prepareRecorder())
    return;
  IsPrepared = true;
  const Settings &Chosen = settings();
  bool Records = Chosen.RecordingMode != Mode::Nvtx;
  startProbes({Records && isWindowOpen(), Chosen.RecordingMode == Mode::Light,
               Chosen.ThrottleAfter, Records ? windowWatcher() : nullptr,
               onFirstProbe, control, wakeRecorder});
  pthread_atfork(beforeFork, onForkParent, onForkChild);
  if (Records) {
    setMemoryLimit(Chosen.MaxMemory);
    finishAtExit();
    IsRecorder.store(true);
    // First, because the next call may start recording and report problems.
    askForNvtx();
    askForInjection();
  }
  if (scanModules(probeHooks()) > 0) {
    setInstrumented();
    sayProblems();
  }
}

void onCudaInitialization() {
  if (!IsPrepared)
    return;
  scanModules(probeHooks());
  sayProblems();
  Mode Chosen = settings().RecordingMode;
  if (Chosen == Mode::Nvtx || isFinished())
    return;
  finishAtExit();
  startRecording(/*WithCupti=*/true);
  // Registered again to run before CUPTI's own exit handler: no window may open
  // or close after that.
  finishAtExit();
}

bool onNvtxInitialization(const void *(*GetExportTable)(uint32_t)) {
  return IsPrepared && settings().RecordingMode != Mode::Nvtx &&
         listenToNvtx(GetExportTable);
}

int onRequest(int Request) {
  if (!IsPrepared || Request < AUTOPROF_START || Request > AUTOPROF_STEP)
    return 0;
  return control(static_cast<autoprof_request>(Request));
}

} // namespace autoprof::runtime
