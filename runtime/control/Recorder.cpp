// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime is a guest.
// LD_PRELOAD puts this library into every process of a shell pipeline, most of
// which have nothing to do with CUDA. So loading it (onLoad) only reads the
// environment and the ELF notes of the modules: it opens no file, starts no
// thread, and prints nothing. A recording begins, if AUTOPROF_OUTPUT asks for
// one, when
//
//   * the driver initialises CUDA. The driver opens the library named by
//     CUDA_INJECTION64_PATH and calls its InitializeInjection. onLoad sets that
//     variable to this library if it is unset and no other thread may be
//     reading the environment, so preloading and linking have the same effect
//     as setting the variable; or
//   * a probe is hit for the first time (the program may never reach CUDA), or
//     the program makes an NVTX call. NVTX finds this library as the driver
//     does, by NVTX_INJECTION64_PATH.
//
// Threads.
// One thread of ours, the flush thread, owns the file, the trace and the
// decoder. It wakes every 200 ms or when a buffer is full, makes CUPTI hand
// over its buffers, drains the probes, and writes whole packets. The program's
// threads only fill buffers (Probes.cpp, Buffers.cpp). They never wait for the
// flush thread, except at exit and before a context is destroyed, and then only
// for a limited time: a trace without its last events is better than a program
// that hangs.
//
// The end.
// finish() runs from exit and quick_exit. It is registered again when CUDA
// initialises, so that it runs before the driver's own handlers. Afterwards
// probes do nothing, and CUPTI's late buffers are dropped. Nothing is
// destroyed: CUPTI's threads and late destructors may still call in. The child
// of a fork has no flush thread and a broken CUPTI: it records nothing.
//
// When the disk is full the window closes for good, and the flush thread goes
// on fetching records from CUPTI and discards them. The file is created before
// CUPTI is started, so that a failure to create it is noticed first.
#include "runtime/control/Recorder.h"

#include "runtime/control/Attachment.h"
#include "runtime/control/Listener.h"
#include "runtime/control/Session.h"
#include "runtime/control/Window.h"
#include "runtime/cupti/Buffers.h"
#include "runtime/cupti/Driver.h"
#include "runtime/probes/Probes.h"
#include "runtime/stacks/Stacks.h"
#include "runtime/support/Clock.h"
#include "runtime/support/Json.h"
#include "runtime/support/Log.h"
#include "runtime/support/Memory.h"
#include "runtime/support/Thread.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

namespace autoprof::runtime {

namespace {

constexpr uint64_t FlushPeriodNs = 200'000'000;
constexpr uint64_t ExitPatienceNs = 10'000'000'000;

struct Recorder {
  Settings Chosen;
  std::string Directory; ///< The working directory when the library was loaded.
  uint64_t Start = now();
  pid_t Owner = getpid();

  /// A recording was started, successfully or not.
  std::atomic<bool> Started{false};
  std::atomic<bool> HasThread{false}; ///< The flush thread is running.
  std::atomic<bool> Finished{false};  ///< finish() was called.
  /// Wake was posted, and the flush thread has not seen it.
  std::atomic<bool> Awake{false};
  /// The file is gone, which was reported; nothing more is written.
  std::atomic<bool> HasNoFile{false};
  /// A module had probes when this library was loaded.
  bool Instrumented = false;
  sem_t Wake, Done;

  Output File;
  Listener Live;
  Session *Writer = nullptr; ///< Owned by the flush thread.
};

} // namespace

static Recorder *TheRecorder = nullptr; // Leaked; set by prepareRecorder.

// Null for a program that runs with other privileges than its caller's.
static const char *variable(const char *Name) { return secure_getenv(Name); }

bool prepareRecorder() {
  Settings Chosen = readSettings(variable);
  startLog(Chosen.Level);
  if (Chosen.Disabled)
    return false;
  auto *R = new Recorder;
  R->Chosen = std::move(Chosen);
  char Buffer[4096];
  R->Directory = getcwd(Buffer, sizeof Buffer) ? Buffer : "";
  sem_init(&R->Wake, 0, 0);
  sem_init(&R->Done, 0, 0);
  TheRecorder = R;
  prepareAttachment(R->Chosen);
  prepareWindow(R->Chosen.Window, R->Start, R->Chosen.StepTimes);
  return true;
}

Settings &settings() { return TheRecorder->Chosen; }
void setInstrumented() { TheRecorder->Instrumented = true; }
bool isFinished() { return TheRecorder->Finished.load(); }

void wakeRecorder() {
  if (!TheRecorder->Awake.exchange(true))
    sem_post(&TheRecorder->Wake);
}

static bool waitUntil(sem_t &Semaphore, uint64_t Deadline) {
  timespec Time = {static_cast<time_t>(Deadline / 1'000'000'000),
                   static_cast<long>(Deadline % 1'000'000'000)};
  for (;;) {
    if (sem_clockwait(&Semaphore, CLOCK_MONOTONIC, &Time) == 0)
      return true;
    if (errno != EINTR)
      return false;
  }
}

// --- The flush thread

static void stopRecording() {
  TheRecorder->HasNoFile.store(true);
  stopProbes();
  stopStacks();
  discardBuffers();
}

static std::string refusal(const std::string &Reason) {
  return JsonObject().raw("ok", "false").text("error", Reason).str();
}

// Handles a request of `autoprof attach`.
static std::string answer(std::string_view Request) {
  if (Request == "start")
    openWindow();
  else if (Request == "stop")
    closeWindow();
  else if (Request != "status" && Request != "dump")
    return refusal("this version of the runtime does not know '" +
                   std::string(Request) + "'");
  if (TheRecorder->HasNoFile.load())
    return refusal("its trace can no longer be written");
  std::string Dump, Problem;
  if (Request == "dump") {
    Dump = TheRecorder->Writer->dump(Problem);
    if (Dump.empty())
      return refusal(Problem);
  }
  const CuptiStatus Status = cuptiStatus();
  const bool Counts = TheRecorder->Chosen.Window.Kind == WindowKind::Steps;
  JsonObject Json;
  Json.raw("ok", "true")
      .raw("recording", isWindowOpen() ? "true" : "false")
      .text("plan", TheRecorder->Chosen.Window.text())
      .text("mode", name(TheRecorder->Chosen.RecordingMode))
      .text("cupti", name(Status.State))
      .raw("cupti_reason",
           Status.Reason.empty() ? "null" : quoted(Status.Reason))
      .raw("cuda_ready", cudaState() == CudaState::Ready ? "true" : "false")
      .raw("dump", Dump.empty() ? "null" : quoted(Dump))
      .raw("steps_seen", Counts ? std::to_string(countedSteps().Seen) : "null");
  return Json.str();
}

static void record(Recorder &R) {
  Session S(R.Chosen, R.File, R.Start);
  if (R.Chosen.Listens)
    R.Live.open();
  R.Writer = &S;
  for (bool Last = false; !Last;) {
    waitUntil(R.Wake, std::min(now() + FlushPeriodNs, turnWindow(now())));
    R.Awake.store(false);
    R.Live.serve(answer);
    Last = R.Finished.load();
    if (R.HasNoFile.load()) {
      flushCupti(/*Forced=*/false, ~0u);
      continue;
    }
    if (!Last)
      watchCuda();
    if (!Last && wantsCudaCalls())
      refreshWindow();
    bool HasFile = S.pump(cuptiStatus(), Last);
    if (HasFile && IsOutOfMemory.load() && !(Last && R.File.size()))
      HasFile = R.File.stop(strerror(ENOMEM));
    if (!HasFile) {
      stopRecording();
      closeWindow();
    }
  }
  stopProbes();
  stopStacks();
  discardBuffers();
  R.Live.close();
  R.File.close();
  if (!R.HasNoFile.load())
    S.join();
}

static void flushThread() {
  pthread_setname_np(pthread_self(), "autoprof");
  record(*TheRecorder);
  sem_post(&TheRecorder->Done);
}

// --- Start and end

void sayProblems() {
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
  return R.File.open(Path, /*IsNameFinal=*/!R.Chosen.IsNamedLater);
}

void startRecording(bool WithCupti) {
  Recorder &R = *TheRecorder;
  if (R.Finished.load())
    return;
  bool First = !R.Started.exchange(true);
  if (First && !openOutput())
    stopRecording();
  if (R.HasNoFile.load())
    return;
  if (WithCupti)
    attachCupti(/*Injected=*/true);
  if (!First)
    return;
  CuptiStatus Status = cuptiStatus();
  if (Status.State == CuptiState::Busy)
    sayProbesOnly(Status);
  R.HasThread.store(true);
  if (startThread(flushThread))
    return;
  R.HasThread.store(false);
  R.File.stop("no thread could be created");
  stopRecording();
  sem_post(&R.Done);
}

static void sayClosedWindow() {
  Recorder &R = *TheRecorder;
  bool HasCupti = cuptiStatus().State == CuptiState::Ok;
  std::string Reason = explainClosedWindow(HasCupti);
  if (!Reason.empty() && R.Started.load() && !R.HasNoFile.load())
    warn("%s; the trace is empty", Reason.c_str());
}

static void finish() {
  Recorder &R = *TheRecorder;
  if (getpid() != R.Owner || R.Finished.load())
    return;
  std::string Missing;
  if (R.Chosen.RecordingMode == Mode::Full && !R.HasNoFile.load())
    Missing = settleMissingCuda(R.Started.load(), R.Instrumented);
  if (R.Finished.exchange(true))
    return;
  endAttachment();
  endWindow();
  stopProbes();
  stopStacks();
  if (R.HasThread.load()) {
    sem_post(&R.Wake);
    if (!waitUntil(R.Done, now() + ExitPatienceNs))
      warn("the trace could not be completed within 10 s; it ends early");
  }
  // A trace whose recording never began has no probes, either.
  const bool WasClosed =
      R.Started.load() &&
      !explainClosedWindow(cuptiStatus().State == CuptiState::Ok).empty();
  if (!Missing.empty() && !R.HasNoFile.load()) {
    sayProblems();
    if (WasClosed) // The cause of what sayClosedWindow() reports.
      warn("%s", Missing.c_str());
    else
      warn("%s; %s", Missing.c_str(),
           R.Started.load() ? "the trace contains only probes"
                            : "nothing is recorded");
  }
  sayClosedWindow();
}

void finishAtExit() {
  atexit(finish);
  at_quick_exit(finish);
}

void leaveRecordingToParent(bool IsWhole) {
  Recorder &R = *TheRecorder;
  if (!R.Started.load() && IsWhole) {
    R.Owner = getpid();
    return;
  }
  stopProbes();
  stopStacks();
  endWindow();
  R.Finished.store(true);
  R.Live.close();
  R.File.close();
}

} // namespace autoprof::runtime
