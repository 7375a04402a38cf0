// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/stacks/CpuTimer.h"

#include "runtime/stacks/Unwinder.h"
#include "runtime/support/Clock.h"
#include "runtime/support/Loss.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/ucontext.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace autoprof::runtime {

static constexpr int Signal = SIGURG;
/// The kernel looks at these clocks at its ticks, which are 1 to 10 ms apart.
static constexpr long IntervalNs = 2'000'000;
static constexpr size_t MostThreads = 16;

namespace {
/// A thread. The handler writes samples, the flush thread takes them.
struct Timed {
  static constexpr uint32_t Room = 512; ///< A second's samples.
  std::atomic<bool> IsReady{false};
  timer_t Timer;
  uint32_t Tid;
  StackBounds Stack;
  std::atomic<uint32_t> Written{0}, Taken{0};
  TimerSample Samples[Room];
};
} // namespace

static Timed Threads[MostThreads];
static std::atomic<size_t> ThreadsUsed{0};
static std::atomic<bool> IsRunning{false}, IsRefused{false};
/// Timers are not those of a child.
static std::atomic<pid_t> Owner{0};

static uint64_t cpuTime() {
  timespec Time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Time);
  return uint64_t(Time.tv_sec) * 1'000'000'000 + uint64_t(Time.tv_nsec);
}

// On the program's thread, at any instruction.
static void onTimer(int, siginfo_t *Info, [[maybe_unused]] void *Context) {
  const int Error = errno;
  auto *T = static_cast<Timed *>(Info->si_value.sival_ptr);
  if (Info->si_code != SI_TIMER || T < Threads || T >= Threads + MostThreads)
    return; // Of somebody else; it would have been ignored.
  const uint32_t Written = T->Written.load(std::memory_order_relaxed);
  if (Written - T->Taken.load(std::memory_order_acquire) == Timed::Room) {
    Lost.StacksDropped.fetch_add(1, std::memory_order_relaxed);
    errno = Error;
    return;
  }
  TimerSample &S = T->Samples[Written % Timed::Room];
  S.Time = now();
  S.Cpu = cpuTime();
  S.Tid = T->Tid;
  S.Count = 0;
#ifdef __x86_64__
  // By DWARF number.
  constexpr int Registers[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI,
                               REG_RDI, REG_RBP, REG_RSP, REG_R8,  REG_R9,
                               REG_R10, REG_R11, REG_R12, REG_R13, REG_R14,
                               REG_R15, REG_RIP};
  const mcontext_t &Machine = static_cast<ucontext_t *>(Context)->uc_mcontext;
  MachineState Start;
  for (unsigned I = 0; I < MachineState::Count; ++I)
    Start.R[I] = static_cast<uintptr_t>(Machine.gregs[Registers[I]]);
  // Not of a fiber, whose stack is small. What is below may not be mapped.
  constexpr uintptr_t RedZone = 128;
  const uintptr_t Sp = Start.R[MachineState::Stack];
  S.Addresses[S.Count++] = Start.R[MachineState::Address];
  if (Sp >= T->Stack.Low && Sp < T->Stack.High)
    S.Count = static_cast<uint32_t>(unwind(Start, {Sp - RedZone, T->Stack.High},
                                           S.Addresses, TimerSample::Most));
#endif
  T->Written.store(Written + 1, std::memory_order_release);
  errno = Error;
}

// Whether signals of these timers interrupt no system call.
static bool isHarmless() {
  utsname Name;
  unsigned Major = 0, Minor = 0;
  return uname(&Name) == 0 &&
         sscanf(Name.release, "%u.%u", &Major, &Minor) == 2 &&
         (Major > 5 || (Major == 5 && Minor >= 10));
}

// Once per process.
static bool prepare() {
  struct sigaction Before;
  if (!prepareUnwinding() || !isHarmless() ||
      sigaction(Signal, nullptr, &Before) != 0 || Before.sa_handler != SIG_DFL)
    return false;
  struct sigaction Ours = {};
  Ours.sa_sigaction = onTimer;
  Ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigfillset(&Ours.sa_mask);
  Owner = getpid();
  return sigaction(Signal, &Ours, nullptr) == 0;
}

static void run(const Timed &T, bool Run) {
  const timespec Time = {0, Run ? IntervalNs : 0};
  const itimerspec Both = {Time, Time};
  timer_settime(T.Timer, 0, &Both, nullptr);
}

// As IsRunning and IsRefused say.
static void setAll() {
  bool Now;
  do { // Another thread may change it meanwhile.
    Now = IsRunning && !IsRefused;
    for (size_t I = 0; Owner == getpid() && I < MostThreads; ++I)
      if (Threads[I].IsReady.load())
        run(Threads[I], Now);
  } while (Now != (IsRunning && !IsRefused));
}

static bool findStack(StackBounds &Stack) {
  pthread_attr_t Attributes;
  void *Low = nullptr;
  size_t Size = 0;
  if (pthread_getattr_np(pthread_self(), &Attributes) != 0)
    return false;
  pthread_attr_getstack(&Attributes, &Low, &Size);
  pthread_attr_destroy(&Attributes);
  Stack.Low = reinterpret_cast<uintptr_t>(Low);
  Stack.High = Stack.Low + Size;
  return Size > 0;
}

// A signal stack of the program's own may be made for less.
static bool hasRoom() {
  constexpr size_t Least = 24 << 10;
  stack_t Other;
  return sigaltstack(nullptr, &Other) == 0 &&
         ((Other.ss_flags & SS_DISABLE) || Other.ss_size >= Least);
}

void startCpuTimer() {
  static const bool IsPrepared = prepare();
  sigset_t Blocked;
  if (!IsPrepared || IsRefused || Owner != getpid() || !hasRoom() ||
      pthread_sigmask(SIG_BLOCK, nullptr, &Blocked) != 0 ||
      sigismember(&Blocked, Signal))
    return;
  StackBounds Stack;
  if (!findStack(Stack))
    return;
  const size_t Index = ThreadsUsed.fetch_add(1);
  if (Index >= MostThreads)
    return;
  Timed &T = Threads[Index];
  T.Stack = Stack;
  T.Tid = static_cast<uint32_t>(syscall(SYS_gettid));
  sigevent Event = {};
  Event.sigev_notify = SIGEV_THREAD_ID;
  Event.sigev_signo = Signal;
  Event.sigev_value.sival_ptr = &T;
  Event._sigev_un._tid = static_cast<pid_t>(T.Tid);
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &Event, &T.Timer) != 0)
    return;
  T.IsReady.store(true);
  setAll();
}

void runCpuTimers(bool Run) {
  IsRunning.store(Run);
  setAll();
}

void checkCpuTimers() {
  struct sigaction Now;
  if (Owner != getpid() || IsRefused || sigaction(Signal, nullptr, &Now) != 0 ||
      Now.sa_sigaction == onTimer)
    return;
  IsRefused = true;
  runCpuTimers(false);
}

bool takeTimerSample(TimerSample &S) {
  if (Owner != getpid())
    return false;
  for (Timed &T : Threads) {
    const uint32_t Taken = T.Taken.load(std::memory_order_relaxed);
    if (Taken == T.Written.load(std::memory_order_acquire))
      continue;
    S = T.Samples[Taken % Timed::Room];
    T.Taken.store(Taken + 1, std::memory_order_release);
    return true;
  }
  return false;
}

} // namespace autoprof::runtime
