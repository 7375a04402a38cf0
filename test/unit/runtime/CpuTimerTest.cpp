// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/stacks/CpuTimer.h"
#include "runtime/stacks/Unwinder.h"
#include "runtime/support/Clock.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <map>
#include <poll.h>
#include <sys/ucontext.h>
#include <thread>
#include <unistd.h>
#include <unwind.h>
#include <vector>

using namespace autoprof::runtime;

#ifdef __x86_64__

namespace {

uint64_t cpuTime() {
  timespec Time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Time);
  return uint64_t(Time.tv_sec) * 1'000'000'000 + uint64_t(Time.tv_nsec);
}

std::vector<TimerSample> takeSamples() {
  std::vector<TimerSample> Result;
  for (TimerSample S; takeTimerSample(S);)
    Result.push_back(S);
  return Result;
}

volatile uint64_t Sink;

__attribute__((noinline)) void spin(uint64_t Ns) {
  for (const uint64_t End = cpuTime() + Ns; cpuTime() < End;)
    for (unsigned I = 0; I < 200'000; ++I)
      Sink = Sink + I;
}

__attribute__((noinline)) void callSpin(uint64_t Ns) {
  spin(Ns);
  Sink = Sink + 1;
}

// Realigns its stack, which has its own form of table.
__attribute__((noinline)) void callAligned(uint64_t Ns) {
  alignas(64) volatile char Room[256] = {};
  Room[Sink % 256] = 1;
  callSpin(Ns);
  Sink = Sink + uint64_t(Room[0]);
}

template <typename F> bool contains(F *Function, uintptr_t Address) {
  const uintptr_t Begin = reinterpret_cast<uintptr_t>(Function);
  return Address >= Begin && Address < Begin + 1024;
}

/// Runs on a thread of its own, with a timer; again and again until it has so
/// many samples. On a busy machine, a thread gets one each time it may run.
template <typename F>
std::vector<TimerSample> sampled(F Body, size_t Wanted = 0) {
  std::vector<TimerSample> Result;
  takeSamples();
  std::thread([&] {
    startCpuTimer();
    runCpuTimers(true);
    for (unsigned I = 0; I == 0 || (I < 50 && Result.size() < Wanted); ++I) {
      Body();
      const std::vector<TimerSample> New = takeSamples();
      Result.insert(Result.end(), New.begin(), New.end());
    }
    runCpuTimers(false);
  }).join();
  return Result;
}

struct Both {
  uintptr_t Ours[64], Theirs[64];
  size_t NumOurs, NumTheirs;
  uintptr_t From; ///< libgcc begins in the handler.
} Compared;
StackBounds OwnStack;

void compare(int, siginfo_t *, void *Context) {
  constexpr int Registers[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI,
                               REG_RDI, REG_RBP, REG_RSP, REG_R8,  REG_R9,
                               REG_R10, REG_R11, REG_R12, REG_R13, REG_R14,
                               REG_R15, REG_RIP};
  MachineState Start;
  for (unsigned I = 0; I < MachineState::Count; ++I)
    Start.R[I] = uintptr_t(
        static_cast<ucontext_t *>(Context)->uc_mcontext.gregs[Registers[I]]);
  Compared = {};
  Compared.NumOurs = unwind(Start, OwnStack, Compared.Ours, 64);
  Compared.From = Start.R[MachineState::Address];
  _Unwind_Backtrace(
      [](_Unwind_Context *C, void *) {
        int IsBefore = 0;
        const uintptr_t At = _Unwind_GetIPInfo(C, &IsBefore);
        if (Compared.NumTheirs == 0 && At != Compared.From)
          return _URC_NO_REASON;
        if (!At || Compared.NumTheirs == 64)
          return _URC_END_OF_STACK;
        Compared.Theirs[Compared.NumTheirs++] = IsBefore ? At : At - 1;
        return _URC_NO_REASON;
      },
      nullptr);
}

int compareTwo(const void *A, const void *B) {
  raise(SIGUSR2);
  return *static_cast<const int *>(A) - *static_cast<const int *>(B);
}

// A table that says nothing of the pushes: the caller's address is a zero, or
// where nothing is mapped. Ends after some 50 ms.
extern "C" void spinWithWrongTable();
asm(R"(
  .text
  .globl spinWithWrongTable
  .type spinWithWrongTable, @function
spinWithWrongTable:
  .cfi_startproc
  movabs $0x0123456789abcdef, %rax
  push %rax
  push %rax
  mov $150000000, %ecx
1: dec %ecx
  jnz 1b
  pop %rax
  pop %rax
  ret
  .cfi_endproc
  .size spinWithWrongTable, . - spinWithWrongTable
)");

} // namespace

TEST(Unwinder, FindsTheFramesThatLibgccFinds) {
  ASSERT_TRUE(prepareUnwinding());
  pthread_attr_t Attributes;
  void *Low;
  size_t Size;
  ASSERT_EQ(pthread_getattr_np(pthread_self(), &Attributes), 0);
  pthread_attr_getstack(&Attributes, &Low, &Size);
  pthread_attr_destroy(&Attributes);
  OwnStack = {uintptr_t(Low), uintptr_t(Low) + Size};
  struct sigaction Action = {}, Before;
  Action.sa_sigaction = compare;
  Action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR2, &Action, &Before);
  auto Same = [] {
    EXPECT_GT(Compared.NumTheirs, 3u);
    EXPECT_EQ(
        std::vector<uintptr_t>(Compared.Ours, Compared.Ours + Compared.NumOurs),
        std::vector<uintptr_t>(Compared.Theirs,
                               Compared.Theirs + Compared.NumTheirs));
  };
  raise(SIGUSR2);
  Same();
  int Numbers[] = {3, 1, 2}; // Through the C library.
  qsort(Numbers, 3, sizeof Numbers[0], compareTwo);
  Same();
  sigaction(SIGUSR2, &Before, nullptr);
}

TEST(CpuTimer, SamplesARunningThreadWithItsCallers) {
  const uint64_t Begin = now();
  const std::vector<TimerSample> Samples =
      sampled([] { callAligned(100'000'000); }, 15);
  ASSERT_GE(Samples.size(), 15u);
  unsigned Whole = 0;
  uint64_t Cpu = 0;
  for (const TimerSample &S : Samples) {
    EXPECT_GT(S.Time, Begin);
    EXPECT_GT(S.Cpu, Cpu);
    Cpu = S.Cpu;
    for (unsigned I = 0; I + 2 < S.Count; ++I)
      if (contains(spin, S.Addresses[I]) &&
          contains(callSpin, S.Addresses[I + 1]) &&
          contains(callAligned, S.Addresses[I + 2])) {
        ++Whole;
        break;
      }
  }
  EXPECT_GT(10 * Whole, 9 * Samples.size());
}

TEST(CpuTimer, InterruptsNoSystemCall) {
  unsigned Interrupted = 0, Calls = 0;
  const std::vector<TimerSample> Samples = sampled(
      [&] {
        for (const uint64_t End = cpuTime() + 100'000'000; cpuTime() < End;) {
          for (unsigned I = 0; I < 20'000; ++I)
            Sink = Sink + I;
          const timespec Short = {0, 50'000};
          pollfd None = {-1, 0, 0};
          Interrupted += nanosleep(&Short, nullptr) != 0;
          Interrupted += poll(&None, 1, 0) < 0;
          Calls += 2;
        }
      },
      5);
  EXPECT_GT(Samples.size(), 0u);
  EXPECT_GT(Calls, 100u);
  EXPECT_EQ(Interrupted, 0u);
}

TEST(CpuTimer, SurvivesWrongTables) {
  const std::vector<TimerSample> Samples = sampled(
      [] {
        for (unsigned I = 0; I < 5; ++I)
          spinWithWrongTable();
      },
      5);
  unsigned Inside = 0;
  for (const TimerSample &S : Samples)
    if (S.Count > 0 && contains(spinWithWrongTable, S.Addresses[0])) {
      ++Inside;
      EXPECT_LE(S.Count, 2u); // The wrong address, and no more.
    }
  EXPECT_GT(Inside, 0u);
}

TEST(CpuTimer, NeedsRoomOnASignalStack) {
  takeSamples();
  std::thread([] {
    std::vector<char> Room(8 << 10);
    stack_t Small = {Room.data(), 0, Room.size()}, None = {};
    None.ss_flags = SS_DISABLE;
    ASSERT_EQ(sigaltstack(&Small, nullptr), 0);
    startCpuTimer();
    runCpuTimers(true);
    spin(100'000'000);
    runCpuTimers(false);
    sigaltstack(&None, nullptr);
  }).join();
  EXPECT_TRUE(takeSamples().empty());
}

TEST(CpuTimer, StopsWithTheRecording) {
  EXPECT_TRUE(sampled([] {
                runCpuTimers(false);
                spin(100'000'000);
              }).empty());
}

/// The last one: there are no timers after it.
TEST(CpuTimer, LeavesTheSignalToAProgramThatHandlesIt) {
  static volatile sig_atomic_t Strange;
  const std::vector<TimerSample> Samples = sampled([] {
    signal(SIGURG, [](int) { Strange = Strange + 1; });
    checkCpuTimers(); // As the sampling thread does.
    takeSamples();
    Strange = 0;
    spin(100'000'000);
  });
  EXPECT_TRUE(Samples.empty());
  EXPECT_EQ(Strange, 0);
  signal(SIGURG, SIG_DFL);
}

#endif
