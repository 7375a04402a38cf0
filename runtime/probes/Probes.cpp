// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hot path.
// A probe reads the clock twice and appends 24 bytes to a buffer that only its
// own thread writes: no lock, no atomic read-modify-write, no allocation. Each
// thread owns a chain of fixed blocks:
//
//     ThreadLog -> Head (drained up to Drained) -> ... -> Tail (being filled)
//
// The owner publishes a record by a release store of the block's Count, and a
// full block by a release store of its Next. The draining thread is the only
// reader; it takes records up to Count and gives drained blocks back. A block
// comes from a pool without a lock; if the memory budget is spent, the record
// is dropped and counted. Nothing ever waits.
//
// The program's own NVTX calls are recorded the same way: a record and then the
// text, in one block and published together. The drainer (RangeWriter.cpp)
// matches their ends with their begins, so nothing is looked up here. Host
// stacks at long calls (Stacks.cpp) are recorded this way too.
//
// Ranges that run very often and briefly and without GPU work are left out
// (RangeThrottle.h). GPU work shows in the thread's site probes, recorded or
// skipped, and in CUPTI's callbacks. So each thread keeps two times: that of
// its last GPU work, and that of its last record; a range contains neither if
// it began later. Times are used instead of counters of open ranges, so that a
// longjmp over probes does no harm.
//
// What may happen while a probe runs.
// * A signal handler with probes interrupts an append: Busy is set, so the
//   handler's record is dropped and counted.
// * Thread exit: a thread-specific-data destructor marks the log as finished;
//   the draining thread takes the remaining records and frees it. Probes in
//   destructors that run even later are dropped and counted.
// * The process ends or forks: stopProbes() reduces every hook to a test.
#include "runtime/probes/Probes.h"

#include "runtime/probes/Nvtx.h"
#include "runtime/probes/ProbePool.h"
#include "runtime/probes/Sites.h"
#include "runtime/probes/SlotRecords.h"
#include "runtime/support/Clock.h"
#include "runtime/support/Loss.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace autoprof::runtime {

namespace {

// A thread's state. Plain data without constructor and destructor, so that it
// can be used at any time in a thread's life.
struct ThreadState {
  ThreadLog *Log;
  // When GPU work, or a call that may be some, was last seen.
  uint64_t LastWork;
  uint64_t LastRecord; // When the last record ended.
  uint32_t Depth;      // Probes that have begun and not ended.
  bool Busy;           // An append is under way.
  bool Gone;           // The thread's log is already finished.
  bool Gap;            // An NVTX call was dropped: no room.
  bool InCall;         // In a CUDA call, between beginCall and endCall.
  bool Worked;         // There was GPU work, so LastWork must be updated.
  uint32_t Window;     // The value of Windows at the last NVTX call.
};

enum : unsigned {
  Started = 1, // begin() was called.
  Recording = 2,
  Listening = 4, // An NVTX tool is there.
  Skipping = 8,  // Launch sites are left out.
  Stopped = 16,
  Watching = 32 // There is a RangeWatcher.
};

} // namespace

static thread_local ThreadState Self
    __attribute__((tls_model("initial-exec"))) = {};

static std::atomic<unsigned> Flags{0};
static std::atomic<uint32_t> Windows{
    0}; // Number of times that recording was switched on.
static ProbeOptions Options;

// A range that began earlier may contain CUDA calls that were not reported to
// us.
static std::atomic<uint64_t> CudaCallsSeenSince{0};
// Made by threads without probes.
static std::atomic<uint64_t> LastCallOfOthers{0};
static std::atomic<bool> CudaCallsWanted{false};

// Until it is created, no key: 0 may be that of the program.
static pthread_key_t ExitKey = ~pthread_key_t(0);

// The program reads errno after its own calls; a probe must not change it.
namespace {
struct KeepErrno {
  int Saved = errno;
  ~KeepErrno() { errno = Saved; }
};
} // namespace

static void countUnbalanced(uint64_t N) {
  if (N)
    Lost.ProbesUnbalanced.fetch_add(N, std::memory_order_relaxed);
}

static void onThreadExit(void *Value) {
  countUnbalanced(Self.Depth);
  Self = {};
  Self.Gone = true;
  static_cast<ThreadLog *>(Value)->Finished.store(true,
                                                  std::memory_order_release);
}

static ThreadLog *makeLog() {
  KeepErrno Keep;
  ThreadLog *Log = takeLog();
  Block *First = Log ? takeBlock() : nullptr;
  if (!First) {
    if (Log)
      giveBack(Log);
    return nullptr;
  }
  Log->Head = Log->Tail = First;
  Log->Tid = static_cast<uint32_t>(syscall(SYS_gettid));
  pthread_setspecific(ExitKey, Log);
  publish(Log);
  return Log;
}

static Block *blockWithRoom(ThreadLog &Log, uint32_t Slots) {
  Block *B = Log.Tail;
  uint32_t Count = B->Count.load(std::memory_order_relaxed);
  if (__builtin_expect(Count + Slots <= RecordsInBlock, 1))
    return B;
  KeepErrno Keep;
  Block *Next = takeBlock();
  if (Next) {
    std::fill(B->Records + Count, B->Records + RecordsInBlock, ProbeRecord{});
    B->Count.store(RecordsInBlock, std::memory_order_release);
    Log.Tail = Next;
    B->Next.store(Next, std::memory_order_release);
  }
  Options.OnBacklog();
  return Next;
}

// Does nothing in a signal handler that interrupts it, or once the thread's log
// is finished.
template <typename Function> static bool guarded(Function Body) {
  if (Self.Busy || Self.Gone)
    return false;
  Self.Busy = true;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (!Self.Log)
    Self.Log = makeLog();
  const bool IsDone = Self.Log && Body(*Self.Log);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  Self.Busy = false;
  return IsDone;
}

// `Fill` writes `Slots` records into consecutive slots.
template <typename Function>
static bool put(ThreadLog &Log, uint32_t Slots, Function Fill) {
  Block *B = blockWithRoom(Log, Slots);
  if (!B)
    return false;
  uint32_t Count = B->Count.load(std::memory_order_relaxed);
  Fill(B->Records + Count);
  B->Count.store(Count + Slots, std::memory_order_release);
  return true;
}

static bool append(const ProbeRecord &Record) {
  Self.LastRecord = Record.End;
  return guarded([&](ThreadLog &Log) {
    return put(Log, 1, [&](ProbeRecord *Slot) { *Slot = Record; });
  });
}

static RangeThrottle *throttleOf(ThreadLog &Log) {
  auto *T = Log.Throttle.load(std::memory_order_relaxed);
  if (!T) {
    KeepErrno Keep;
    T = takeThrottle();
    Log.Throttle.store(T, std::memory_order_release);
  }
  return T;
}

static bool mayLeaveOut(const RangeThrottle::Range &R, uint64_t Begin) {
  if (R.Runs <= Options.ThrottleAfter / 2)
    return false;
  if (CudaCallsSeenSince.load(std::memory_order_relaxed) > Begin) {
    if (!CudaCallsWanted.load(std::memory_order_relaxed) &&
        !CudaCallsWanted.exchange(true)) {
      KeepErrno Keep;
      Options.OnBacklog();
    }
    return false;
  }
  return R.Runs > Options.ThrottleAfter && Self.LastRecord < Begin &&
         LastCallOfOthers.load(std::memory_order_relaxed) < Begin;
}

static bool putRange(ThreadLog &Log, const ProbeRecord &Record) {
  const bool IsIdle =
      Self.LastWork < Record.Begin && Record.End - Record.Begin < BriefNs;
  RangeThrottle *T = IsIdle ? throttleOf(Log) : nullptr;
  RangeThrottle::Range *Known = T ? T->count(Record.Id) : nullptr;
  if (Known && mayLeaveOut(*Known, Record.Begin)) {
    RangeThrottle::leaveOut(*Known, Record.Begin, Record.End);
    return true;
  }
  Self.LastRecord = Record.End;
  return put(Log, 1, [&](ProbeRecord *Slot) { *Slot = Record; });
}

static bool appendRange(const ProbeRecord &Record) {
  if (Self.Worked) {
    Self.Worked = false;
    Self.LastWork = Record.End;
  }
  if (!Options.ThrottleAfter)
    return append(Record);
  return guarded([&](ThreadLog &Log) { return putRange(Log, Record); });
}

// Called at the first probe of the process: only now is it known that the
// process has probes, so only now may an NVTX tool be loaded and a recording
// begin. One thread does this; the others do not wait for it.
static unsigned begin() {
  KeepErrno Keep;
  unsigned F = Flags.load();
  do {
    if (F & Started)
      return F;
  } while (!Flags.compare_exchange_weak(F, F | Started));
  bool Listens = startNvtx();
  if (Options.OnFirstProbe)
    Options.OnFirstProbe();
  F = Flags.load();
  while (Listens && !(F & Stopped) &&
         !Flags.compare_exchange_weak(F, F | Listening))
    ;
  return Flags.load();
}

static uint64_t probeBegin(uint64_t Id, bool IsRange) {
  unsigned F = Flags.load(std::memory_order_relaxed);
  if (__builtin_expect(!(F & Started), 0))
    F = begin();
  if (__builtin_expect(F & Listening, 0)) {
    KeepErrno Keep;
    pushNvtx(Id);
  }
  if (__builtin_expect((F & Watching) && IsRange, 0)) {
    KeepErrno Keep;
    Options.Watcher->ProbeBegin(Id);
    F = Flags.load(std::memory_order_relaxed);
  }
  if (!(F & Recording))
    return 0;
  if ((F & Skipping) && !IsRange) {
    Site *S = findSite(Id);
    if (S && S->IsLaunch) {
      Self.Worked = true;
      return 0;
    }
  }
  ++Self.Depth;
  const uint64_t Begin = now();
  if (Self.Worked && IsRange) { // The work was done before this range.
    Self.Worked = false;
    Self.LastWork = Begin;
  }
  return Begin;
}

static void probeEnd(uint64_t Id, uint64_t Token, bool IsRange) {
  unsigned F = Flags.load(std::memory_order_relaxed);
  if (Token && !(F & Stopped)) {
    const ProbeRecord Record = {Id, Token, now()};
    if (!IsRange)
      Self.LastWork = Record.End;
    if (Self.Depth == 0)
      countUnbalanced(1);
    else if (--Self.Depth, (F & Recording) && !(IsRange ? appendRange(Record)
                                                        : append(Record)))
      Lost.ProbesDropped.fetch_add(1, std::memory_order_relaxed);
  }
  if (__builtin_expect(F & Watching, 0)) {
    KeepErrno Keep;
    Options.Watcher->ProbeEnd(Id);
  }
  if (__builtin_expect(F & Listening, 0)) {
    KeepErrno Keep;
    popNvtx();
  }
}

extern "C" {
static unsigned long long siteBegin(unsigned long long Id) noexcept {
  return probeBegin(Id, false);
}
static unsigned long long rangeBegin(unsigned long long Id) noexcept {
  return probeBegin(Id, true);
}
static void siteEnd(unsigned long long Id, unsigned long long Token) noexcept {
  probeEnd(Id, Token, false);
}
static void rangeEnd(unsigned long long Id, unsigned long long Token) noexcept {
  probeEnd(Id, Token, true);
}
}

static void appendNvtx(NvtxEvent &E) {
  uint32_t Window = Windows.load(std::memory_order_relaxed);
  E.Time = now();
  E.Depth = Self.Depth;
  E.AfterGap = Self.Gap || Self.Window != Window;
  Self.Window = Window;
  Self.LastRecord = E.Time;
  Self.Gap = !guarded([&E](ThreadLog &Log) {
    return put(Log, slotsFor(E.Text),
               [&E](ProbeRecord *Slot) { writeNvtx(E, Slot); });
  });
  if (Self.Gap)
    Lost.ProbesDropped.fetch_add(1, std::memory_order_relaxed);
}

extern "C" {
static int requestHook(autoprof_request Request) {
  return Options.OnRequest ? Options.OnRequest(Request) : 0;
}
}

void recordNvtx(NvtxEvent E) {
  unsigned F = Flags.load(std::memory_order_relaxed);
  if (__builtin_expect(!(F & Started), 0))
    F = begin();
  const bool Begins = E.Kind == NvtxKind::Push || E.Kind == NvtxKind::Start;
  if (__builtin_expect((F & Watching) && Begins, 0)) {
    Options.Watcher->Nvtx(E);
    F = Flags.load(std::memory_order_relaxed);
  }
  if (F & Recording)
    appendNvtx(E);
  if (__builtin_expect((F & Watching) && !Begins, 0))
    Options.Watcher->Nvtx(E);
}

uint64_t beginCall() {
  if (Self.InCall || !(Flags.load(std::memory_order_relaxed) & Recording))
    return 0;
  Self.InCall = true;
  return now();
}

// A CallRecord is stored in place of a ProbeRecord.
void endCall(uint64_t Function, uint64_t Token) {
  if (!Token)
    return;
  Self.InCall = false;
  const uint64_t End = now();
  Self.LastWork = End;
  if ((Flags.load(std::memory_order_relaxed) & Recording) &&
      !append({Function, Token | CallBit, End}))
    Lost.ProbesDropped.fetch_add(1, std::memory_order_relaxed);
}

bool recordStack(const StackRecord &Record) {
  Self.LastRecord = Record.Time;
  return guarded([&](ThreadLog &Log) {
    return put(Log, slotsFor(Record.Data),
               [&](ProbeRecord *Slot) { writeStack(Record, Slot); });
  });
}

const autoprof_hooks &probeHooks() {
  static const autoprof_hooks Hooks = {sizeof Hooks, siteBegin, siteEnd,
                                       rangeBegin,   rangeEnd,  requestHook};
  return Hooks;
}

void startProbes(const ProbeOptions &Chosen) {
  Options = Chosen;
  pthread_key_create(&ExitKey, onThreadExit);
  Flags.store((Chosen.Record ? Recording : 0u) |
              (Chosen.SkipLaunches ? Skipping : 0u) |
              (Chosen.Watcher ? Watching : 0u));
}

void setProbesRecording(bool Record) {
  if (Record)
    Windows.fetch_add(1);
  unsigned F = Flags.load();
  while (!(F & Stopped) && !Flags.compare_exchange_weak(
                               F, Record ? F | Recording : F & ~Recording))
    ;
}

void setCudaCalls(CudaCalls State) {
  CudaCallsSeenSince.store(State == CudaCalls::NotRecorded ? 0
                           : State == CudaCalls::Seen      ? now()
                                                           : UINT64_MAX);
}

bool wantsCudaCalls() { return CudaCallsWanted.load(); }

void cudaCallBegins() {
  if (Self.Log)
    Self.Worked = true;
  else
    LastCallOfOthers.store(now(), std::memory_order_relaxed);
}

void stopProbes() { Flags.store(Started | Stopped); }

} // namespace autoprof::runtime
