// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime is a guest
// ----------------------
// LD_PRELOAD puts this library into every process of a shell pipeline, most of
// which have nothing to do with CUDA. So loading it (onLoad) reads the
// environment and the ELF notes of the modules, and that is all: no file, no
// thread, no output. A recording begins, if AUTOPROF_OUTPUT asks for one, when
//
//   * the driver initialises CUDA. The driver opens the library named by
//     CUDA_INJECTION64_PATH and calls its InitializeInjection; onLoad puts this
//     library there when nothing else is, so preloading and linking end in the
//     same place as setting that variable; or
//   * a probe is hit for the first time (the program may never reach CUDA), or
//     the program makes an NVTX call. NVTX finds this library as the driver
//     does, by NVTX_INJECTION64_PATH.
//
// Threads
// -------
// One thread of ours, the flush thread, owns the file, the trace and the
// decoder; it wakes every 200 ms or when a buffer runs full, has CUPTI hand
// over its buffers, drains the probes, and writes whole packets. The program's
// threads only fill buffers (Probes.cpp, Buffers.cpp); they never wait for the
// flush thread, except at exit and before a context is destroyed, and then
// with a limit: better a trace without its last events than a program that
// hangs.
//
// The end
// -------
// finish() runs from exit and quick_exit. It is registered anew when CUDA
// initialises, so that it runs before the driver's own handlers. Afterwards
// probes do nothing, and CUPTI's late buffers are dropped. Nothing is
// destroyed: CUPTI's threads and late destructors may still call in. The child
// of a fork has no flush thread and a broken CUPTI: it records nothing.
//
// CUPTI once started is never stopped (Cupti.cpp says why): when the disk is
// full the flush thread goes on taking its buffers and throws them away. A
// file that cannot be created is found out before CUPTI is started.
#include "Recorder.h"

#include "Buffers.h"
#include "Clock.h"
#include "Cupti.h"
#include "Driver.h"
#include "Environment.h"
#include "Memory.h"
#include "Missing.h"
#include "Modules.h"
#include "Probes.h"
#include "Session.h"
#include "UserNvtx.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

namespace autoprof::runtime {

namespace {

constexpr uint64_t FlushPeriodNs = 200'000'000;
constexpr uint64_t ExitPatienceNs = 10'000'000'000;
constexpr unsigned DestroyPatienceMs = 2000;

struct Recorder {
  Settings Chosen;
  std::string Directory; ///< The working directory when the library was loaded.
  uint64_t Start = now();
  pid_t Owner = getpid();

  std::atomic<bool> Started{false};   ///< It was tried to record.
  std::atomic<bool> HasThread{false}; ///< The flush thread runs.
  std::atomic<bool> Finished{false};  ///< finish() was called.
  std::atomic<bool> Awake{false};     ///< Wake was posted and not yet seen.
  std::atomic<bool> Attached{
      false}; ///< CUPTI was, or was tried to be, started.
  std::atomic<bool> HasNoFile{false}; ///< Said; nothing more is written.
  std::atomic<bool> WasReady{false};  ///< CUDA had a GPU at some time.
  bool Instrumented = false; ///< A module had probes when we were loaded.
  bool CameLate = false;     ///< Loaded when CUDA was initialised already.
  bool LeaveCupti = false;   ///< A debugger is there. The flush thread's.
  sem_t Wake, Done;

  std::mutex StatusMutex;
  CuptiStatus Status;

  Output File;
};

} // namespace

static Recorder *TheRecorder = nullptr; // Leaked; set by onLoad.

// Nothing for a program that runs with other rights than its caller's.
static const char *variable(const char *Name) { return secure_getenv(Name); }

static CuptiStatus status(const char *State, std::string Reason) {
  CuptiStatus Result;
  Result.State = State;
  Result.Reason = std::move(Reason);
  return Result;
}

static void setStatus(CuptiStatus Status) {
  Recorder &R = *TheRecorder;
  std::lock_guard<std::mutex> Lock(R.StatusMutex);
  R.Status = std::move(Status);
}

static CuptiStatus currentStatus() {
  std::lock_guard<std::mutex> Lock(TheRecorder->StatusMutex);
  return TheRecorder->Status;
}

static void sayProbesOnly(const CuptiStatus &Status) {
  static std::atomic<bool> Said{false};
  if (!Said.exchange(true))
    warn("%s; the trace holds probes only", Status.Reason.c_str());
}

// Async-signal-safe.
static void wake() {
  if (!TheRecorder->Awake.exchange(true))
    sem_post(&TheRecorder->Wake);
}

static bool waitUntil(sem_t &Semaphore, uint64_t Deadline) {
  timespec At = {static_cast<time_t>(Deadline / 1'000'000'000),
                 static_cast<long>(Deadline % 1'000'000'000)};
  for (;;) {
    if (sem_clockwait(&Semaphore, CLOCK_MONOTONIC, &At) == 0)
      return true;
    if (errno != EINTR)
      return false;
  }
}

// --- CUPTI

static void onContextDestroy() {
  if (!TheRecorder->Finished.load())
    flushCupti(/*Forced=*/true, DestroyPatienceMs);
}

static void onFatalError() {
  static std::atomic<bool> Said{false};
  if (!Said.exchange(true))
    warn("CUPTI met a fatal error; later GPU work may be missing from the "
         "trace");
}

// Once: from InitializeInjection, or late from the flush thread.
static void attachCupti() {
  if (TheRecorder->Attached.exchange(true))
    return;
  CuptiStatus Status =
      startCupti(TheRecorder->Chosen.Cupti, {onContextDestroy, onFatalError});
  if (strcmp(Status.State, "ok") != 0)
    sayProbesOnly(Status);
  setStatus(std::move(Status));
}

// The flush thread's, at every turn until CUDA is ready. The driver injects
// before it is ready, so one that is ready and has not injected for a while
// never will. A debugger for the GPU takes the place of the recorder, and
// CUPTI then has no business there.
static void watchCuda() {
  static uint64_t ReadySince = 0;
  Recorder &R = *TheRecorder;
  bool MayAttach = !R.Attached.load() && !R.LeaveCupti &&
                   strcmp(currentStatus().State, "off") == 0;
  if ((R.WasReady.load() && !MayAttach) || cudaState() != CudaState::Ready)
    return;
  R.WasReady.store(true);
  if (ReadySince == 0)
    ReadySince = now();
  if (!MayAttach)
    return;
  if (R.CameLate)
    return attachCupti();
  if (now() - ReadySince < FlushPeriodNs)
    return;
  if (isTraced()) {
    R.LeaveCupti = true;
    return;
  }
  warn("the CUDA driver did not load the recorder (was CUDA_INJECTION64_PATH "
       "changed?); GPU work up to now is missing from the trace");
  attachCupti();
}

// --- The flush thread

static void stopRecording() {
  TheRecorder->HasNoFile.store(true);
  stopProbes();
  discardBuffers();
}

static void record(Recorder &R) {
  Session S(R.Chosen, R.File, R.Start);
  for (bool Last = false; !Last;) {
    waitUntil(R.Wake, now() + FlushPeriodNs);
    R.Awake.store(false);
    Last = R.Finished.load();
    if (R.HasNoFile.load()) {
      flushCupti(/*Forced=*/false, ~0u);
      continue;
    }
    if (R.Chosen.RecordingMode == Mode::Full && !Last)
      watchCuda();
    if (!S.pump(currentStatus(), Last))
      stopRecording();
  }
  stopProbes();
  discardBuffers();
  R.File.close();
}

static void *flushThread(void *) {
  pthread_setname_np(pthread_self(), "autoprof");
  record(*TheRecorder);
  sem_post(&TheRecorder->Done);
  return nullptr;
}

// --- Start and end

// No signal is delivered to the flush thread: handlers belong to the program,
// and a write to a closed pipe or past a limit must not kill it.
static bool startFlushThread() {
  sigset_t All, Before;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  pthread_attr_t Attributes;
  pthread_attr_init(&Attributes);
  pthread_attr_setdetachstate(&Attributes, PTHREAD_CREATE_DETACHED);
  pthread_t Thread;
  int Error = pthread_create(&Thread, &Attributes, flushThread, nullptr);
  pthread_attr_destroy(&Attributes);
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  return Error == 0;
}

static void sayProblems() {
  static std::atomic<bool> Said{false};
  if (!Said.exchange(true))
    for (const std::string &Problem : TheRecorder->Chosen.Problems)
      warn("%s", Problem.c_str());
}

static bool openOutput() {
  Recorder &R = *TheRecorder;
  sayProblems();
  std::vector<std::string> Problems;
  std::string Path =
      expandOutput(R.Chosen.Output, R.Directory, variable, Problems);
  for (const std::string &Problem : Problems)
    warn("%s", Problem.c_str());
  return R.File.open(Path);
}

static void startRecording(bool WithCupti) {
  Recorder &R = *TheRecorder;
  if (R.Finished.load())
    return;
  bool First = !R.Started.exchange(true);
  if (First && !openOutput())
    stopRecording();
  if (R.HasNoFile.load())
    return;
  if (WithCupti)
    attachCupti();
  if (!First)
    return;
  CuptiStatus Status = currentStatus();
  if (strcmp(Status.State, "busy") == 0)
    sayProbesOnly(Status);
  R.HasThread.store(true);
  if (startFlushThread())
    return;
  R.HasThread.store(false);
  warn("no thread could be created; nothing is recorded");
  stopRecording();
  sem_post(&R.Done);
}

static std::string missingCuda() {
  Recorder &R = *TheRecorder;
  if (R.Chosen.RecordingMode != Mode::Full || R.HasNoFile.load())
    return "";
  CuptiStatus Status = currentStatus();
  std::string Missing = explainMissingCuda(
      {Status, R.Started.load(), R.Instrumented, R.WasReady.load()});
  if (!Missing.empty()) {
    Status.State = "off";
    Status.Reason = Missing;
    setStatus(std::move(Status));
  }
  return Missing;
}

static void finish() {
  Recorder &R = *TheRecorder;
  if (getpid() != R.Owner || R.Finished.load())
    return;
  std::string Missing = missingCuda();
  if (R.Finished.exchange(true))
    return;
  stopProbes();
  if (R.HasThread.load()) {
    sem_post(&R.Wake);
    if (!waitUntil(R.Done, now() + ExitPatienceNs))
      warn("the trace could not be completed within 10 s; it ends early");
  }
  if (!Missing.empty() && !R.HasNoFile.load())
    warn("%s; %s", Missing.c_str(),
         R.Started.load() ? "the trace holds probes only"
                          : "nothing is recorded");
}

static void finishAtExit() {
  atexit(finish);
  at_quick_exit(finish);
}

// --- Loading

static void beforeFork() {
  pauseScans();
  pauseNvtxNames();
}

static void onForkParent() {
  resumeNvtxNames();
  resumeScans();
}

// A child of a process that has not begun to record starts afresh.
static void onForkChild() {
  onForkParent();
  Recorder &R = *TheRecorder;
  if (!R.Started.load()) {
    R.Owner = getpid();
    return;
  }
  stopProbes();
  R.Finished.store(true);
  R.File.close();
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
  return stat(Left, &A) == 0 && stat(Right, &B) == 0 && A.st_dev == B.st_dev &&
         A.st_ino == B.st_ino;
}

// Has the driver call InitializeInjection when CUDA initialises.
static void askForInjection() {
  const char *Variable = "CUDA_INJECTION64_PATH";
  std::string Own = ownPath();
  const char *Named = getenv(Variable);
  if (Named && isSameFile(Named, Own.c_str()))
    return; // It will, or is about to: the driver opens this library now.
  if (Named && *Named) {
    if (TheRecorder->Chosen.RecordingMode == Mode::Full)
      setStatus(status("busy", std::string(Variable) +
                                   " names another tool: " + Named));
    return;
  }
  if (cudaState() == CudaState::Ready) { // Opened late by the program.
    TheRecorder->CameLate = true;
    startRecording(/*WithCupti=*/false); // The flush thread will.
  } else if (!Own.empty()) {
    setenv(Variable, Own.c_str(), 1);
  }
}

// Has NVTX call InitializeInjectionNvtx2 at the program's first NVTX call.
static void askForNvtx() {
  const char *Variable = "NVTX_INJECTION64_PATH";
  std::string Own = ownPath();
  const char *Named = getenv(Variable);
  if (!Named || !*Named) {
    if (!Own.empty())
      setenv(Variable, Own.c_str(), 1);
  } else if (!isSameFile(Named, Own.c_str())) {
    TheRecorder->Chosen.Problems.push_back(
        std::string(Variable) + " names another tool (" + Named +
        "), which keeps its place: the program's own NVTX ranges are not in "
        "the trace");
  }
}

static void onFirstProbe() {
  if (TheRecorder->Chosen.RecordingMode != Mode::Nvtx)
    startRecording(/*WithCupti=*/false);
}

void onLoad() {
  Settings Chosen = readSettings(variable);
  startLog(Chosen.Level);
  if (Chosen.Disabled)
    return;
  auto *R = new Recorder;
  R->Chosen = std::move(Chosen);
  sem_init(&R->Wake, 0, 0);
  sem_init(&R->Done, 0, 0);
  TheRecorder = R;
  bool Records = R->Chosen.RecordingMode != Mode::Nvtx;
  startProbes(
      {Records, R->Chosen.RecordingMode == Mode::Light, onFirstProbe, wake});
  pthread_atfork(beforeFork, onForkParent, onForkChild);
  if (Records) {
    char Buffer[4096];
    R->Directory = getcwd(Buffer, sizeof Buffer) ? Buffer : "";
    setMemoryLimit(R->Chosen.MaxMemory);
    finishAtExit();
    if (R->Chosen.RecordingMode == Mode::Light)
      setStatus(status("off", "light recording leaves CUPTI alone"));
    askForInjection();
    askForNvtx();
  }
  R->Instrumented = scanModules(probeHooks()) > 0;
  if (R->Instrumented)
    sayProblems();
}

void onCudaInitialization() {
  if (!TheRecorder)
    return;
  scanModules(probeHooks());
  sayProblems();
  Mode Chosen = TheRecorder->Chosen.RecordingMode;
  if (Chosen == Mode::Nvtx || TheRecorder->Finished.load())
    return;
  finishAtExit();
  startRecording(/*WithCupti=*/Chosen == Mode::Full);
}

bool onNvtxInitialization(const void *(*GetExportTable)(uint32_t)) {
  return TheRecorder && TheRecorder->Chosen.RecordingMode != Mode::Nvtx &&
         listenToNvtx(GetExportTable);
}

} // namespace autoprof::runtime
