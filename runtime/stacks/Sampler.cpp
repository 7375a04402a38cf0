// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/stacks/Sampler.h"

#include "runtime/stacks/CpuTimer.h"
#include "runtime/stacks/PythonStack.h"
#include "runtime/stacks/Unwinder.h"
#include "runtime/support/Clock.h"
#include "runtime/support/Loss.h"
#include "runtime/support/OwnDescriptor.h"
#include "runtime/support/Thread.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace autoprof::runtime {

// A sample of a thread takes 20 to 100 us of another core. The interval grows
// so that sampling takes about 1 / MostLoad of that core at most; but new code,
// whose lines are found for the first time, must not stop the sampling.
static constexpr uint64_t ShortestNs = 1'000'000, LongestNs = 10'000'000,
                          MostLoad = 16;
/// Samples that are kept until they are taken.
static constexpr size_t MostBytes = 16 << 20;
static constexpr size_t MostThreads = 16;

namespace {

/// A thread of the program. Written once by that thread.
struct Target {
  std::atomic<void *> State{nullptr}; ///< pythonThread(); null: not yet.
  pid_t Tid = 0;
  std::atomic<uint32_t> Calls{0}; ///< Of CUDA, so far.
};

/// What the sampling thread knows of one.
struct Watched {
  bool IsOpen = false, IsGone = false;
  OwnDescriptor Schedule, Call; ///< Files of /proc, if they can be read.
  uint32_t Calls = 0;           ///< When it was last looked at.
  unsigned WithoutCall = 0;     ///< So often it had made none since then.
};

struct Kept {
  std::mutex M;
  std::vector<ThreadSample> List;
  size_t Bytes = 0;
};

} // namespace

static Target Targets[MostThreads];
static std::atomic<size_t> TargetsUsed{0};
static std::atomic<bool> IsOn{false};
static sem_t Wake;

// Leaked: the sampling thread may outlive static objects.
static Kept &kept() {
  static auto &K = *new Kept;
  return K;
}

void sampleThisThread() {
  static thread_local Target *Mine __attribute__((tls_model("initial-exec"))) =
      nullptr;
  static thread_local bool IsKnown __attribute__((tls_model("initial-exec"))) =
      false;
  static thread_local uint8_t Seen __attribute__((tls_model("initial-exec"))) =
      0;
  constexpr uint8_t Some = 32;
  if (Mine)
    Mine->Calls.fetch_add(1, std::memory_order_relaxed);
  if (IsKnown)
    return;
  const int Error = errno;
  if (void *State = pythonThread()) {
    IsKnown = true;
    const size_t Index = TargetsUsed.fetch_add(1);
    if (Index < MostThreads) {
      Mine = &Targets[Index];
      Targets[Index].Tid = static_cast<pid_t>(syscall(SYS_gettid));
      Targets[Index].State.store(State, std::memory_order_release);
    }
  } else if (!hasPython() && ++Seen == Some) {
    IsKnown = true;
    startCpuTimer();
  }
  errno = Error;
}

// The CPU clock of any thread of this process, as pthread_getcpuclockid()
// makes it of a pthread_t.
static clockid_t cpuClock(pid_t Tid) {
  constexpr clockid_t PerThread = 4, Scheduled = 2;
  return static_cast<clockid_t>(~static_cast<unsigned>(Tid) << 3) | PerThread |
         Scheduled;
}

static void openFile(pid_t Tid, const char *Name, OwnDescriptor &File) {
  char Path[64];
  snprintf(Path, sizeof Path, "/proc/self/task/%d/%s", Tid, Name);
  const int Opened = open(Path, O_RDONLY | O_CLOEXEC);
  if (Opened >= 0)
    File.adopt(Opened);
}

// Returns "" if it cannot be read.
static std::string contents(const OwnDescriptor &File) {
  char Text[256];
  const ssize_t Size =
      File.isStillOurs() ? pread(File.number(), Text, sizeof Text, 0) : -1;
  return std::string(Text, Size > 0 ? static_cast<size_t>(Size) : 0);
}

// Of /proc/self/task/TID/syscall: "running", or the number of a system call and
// its arguments, or -1 if the thread is blocked outside of one (a page fault).
static ThreadState parseState(const std::string &Text) {
  if (Text.empty() || Text[0] == 'r')
    return ThreadState::Running;
  switch (strtol(Text.c_str(), nullptr, 10)) {
  case SYS_futex:
    return ThreadState::Lock;
  case SYS_nanosleep:
  case SYS_clock_nanosleep:
    return ThreadState::Sleep;
  case SYS_wait4:
  case SYS_waitid:
    return ThreadState::Child;
#ifdef SYS_poll // Not on aarch64.
  case SYS_poll:
  case SYS_select:
  case SYS_epoll_wait:
#endif
  case SYS_ppoll:
  case SYS_pselect6:
  case SYS_epoll_pwait:
  case SYS_read:
  case SYS_readv:
  case SYS_pread64:
  case SYS_recvfrom:
  case SYS_recvmsg:
  case SYS_write:
  case SYS_writev:
  case SYS_sendto:
  case SYS_sendmsg:
  case SYS_fsync:
    return ThreadState::Io;
  default:
    return ThreadState::Other;
  }
}

static void keep(ThreadSample Sample) {
  Kept &K = kept();
  std::lock_guard<std::mutex> Lock(K.M);
  const size_t Bytes = sizeof Sample + Sample.Frames.size();
  if (K.Bytes + Bytes > MostBytes) {
    Lost.StacksDropped.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  K.Bytes += Bytes;
  K.List.push_back(std::move(Sample));
}

// A thread that has made no call for long starts up, or compiles: fewer samples
// will do.
static bool isDue(const Target &T, Watched &W) {
  constexpr unsigned Long = 50, OneIn = 10;
  const uint32_t Calls = T.Calls.load(std::memory_order_relaxed);
  W.WithoutCall = Calls == W.Calls ? W.WithoutCall + 1 : 0;
  W.Calls = Calls;
  return W.WithoutCall < Long || W.WithoutCall % OneIn == 0;
}

static void sample(const Target &T, Watched &W) {
  void *State = T.State.load(std::memory_order_acquire);
  if (!State || W.IsGone || !isDue(T, W))
    return;
  if (!W.IsOpen) {
    W.IsOpen = true;
    openFile(T.Tid, "schedstat", W.Schedule);
    openFile(T.Tid, "syscall", W.Call);
  }
  timespec Cpu;
  if (clock_gettime(cpuClock(T.Tid), &Cpu) != 0) { // The thread has ended.
    W.IsGone = true;
    W.Schedule.close();
    W.Call.close();
    return;
  }
  ThreadSample S;
  S.Time = now();
  S.Tid = static_cast<uint32_t>(T.Tid);
  S.Cpu = static_cast<uint64_t>(Cpu.tv_sec) * 1'000'000'000 +
          static_cast<uint64_t>(Cpu.tv_nsec);
  S.State = parseState(contents(W.Call));
  S.Frames = pythonStackOf(State);
  // "RUN_NS DELAYED_NS COUNT"
  unsigned long long Ran = 0, Delayed = 0;
  S.Delayed =
      sscanf(contents(W.Schedule).c_str(), "%llu %llu", &Ran, &Delayed) == 2
          ? Delayed
          : ThreadSample::Unknown;
  keep(std::move(S));
}

static void pauseFor(uint64_t Ns) {
  const timespec Time = {static_cast<time_t>(Ns / 1'000'000'000),
                         static_cast<long>(Ns % 1'000'000'000)};
  nanosleep(&Time, nullptr);
}

[[noreturn]] static void runSampler() {
  pthread_setname_np(pthread_self(), "autoprof-sample");
  Watched Known[MostThreads];
  uint64_t Seed = now();
  while (true) {
    if (!IsOn.load(std::memory_order_acquire)) {
      sem_wait(&Wake);
      continue;
    }
    checkCpuTimers();
    const uint64_t Begin = now();
    const size_t Count = std::min(TargetsUsed.load(), MostThreads);
    for (size_t I = 0; I < Count; ++I)
      sample(Targets[I], Known[I]);
    const uint64_t Interval =
        std::clamp((now() - Begin) * MostLoad, ShortestNs, LongestNs);
    // Between 3/4 and 5/4 of it, so as not to fall into step with a loop.
    Seed = Seed * 6364136223846793005 + 1442695040888963407;
    pauseFor(Interval / 4 * 3 + (Seed >> 33) % (Interval / 2));
  }
}

void startSampler() {
  static std::atomic<bool> IsStarted{false};
  if (IsStarted.exchange(true))
    return;
  kept();
  sem_init(&Wake, 0, 0);
  prepareUnwinding(); // Not on a thread of the program: it takes a lock.
  startThread(runSampler);
}

void setSampling(bool On) {
  if (IsOn.exchange(On) == On)
    return;
  runCpuTimers(On);
  if (IsOn.load() != On) // Another thread has changed it meanwhile.
    runCpuTimers(!On);
  if (On)
    sem_post(&Wake);
}

std::vector<ThreadSample> takeSamples() {
  Kept &K = kept();
  std::lock_guard<std::mutex> Lock(K.M);
  K.Bytes = 0;
  return std::exchange(K.List, {});
}

} // namespace autoprof::runtime
