// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/stacks/Stacks.h"

#include "runtime/stacks/CpuTimer.h"
#include "runtime/stacks/PythonStack.h"
#include "runtime/support/Clock.h"
#include "runtime/support/Loss.h"
#include "runtime/support/ModulePath.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <link.h>
#include <set>
#include <sys/stat.h>
#include <unwind.h>
#include <utility>

namespace autoprof::runtime {

namespace {

constexpr size_t MostFrames = 48;
static_assert(MostFrames * sizeof(uintptr_t) <= MaxStackData);

struct Addresses {
  uintptr_t List[MostFrames];
  size_t Count = 0;
};

struct Module {
  uintptr_t Begin, End, Base;
  std::string Path;
};

struct CollectedStack {
  CallStack Stack; ///< Unless Python, the frames are still raw.
  bool IsPython;
};

struct Modules {
  std::vector<Module> List;
  /// Number of dlopens and dlcloses so far.
  unsigned long long Adds = 0, Subs = 0;
};

} // namespace

static std::atomic<bool> Stopped{false};

static StackPlan Plan;
// Number of calls of forgetStackCalls().
static std::atomic<uint32_t> Epoch{0};

namespace {
// Plain data without constructor and destructor, so that it can be used at any
// time in a thread's life.
struct ThreadCalls {
  Occasions Seen;
  uint32_t Depth; // Number of open calls.
  uint32_t Epoch; // The epoch in which Depth is counted.
};
static_assert(sizeof(ThreadCalls) <= 256,
              "static thread-local storage is rare");
} // namespace

static thread_local ThreadCalls Self
    __attribute__((tls_model("initial-exec"))) = {};

static void countDropped() {
  Lost.StacksDropped.fetch_add(1, std::memory_order_relaxed);
}

static _Unwind_Reason_Code addFrame(_Unwind_Context *Context, void *Data) {
  auto &A = *static_cast<Addresses *>(Data);
  // The address within the call, not the return address after it, which may
  // belong to another line.
  uintptr_t Address = _Unwind_GetIP(Context);
  if (!Address || A.Count == MostFrames)
    return _URC_END_OF_STACK;
  A.List[A.Count++] = Address - 1;
  return _URC_NO_REASON;
}

static void takeStack(uint32_t Correlation, uint64_t Time) {
  StackRecord R;
  R.Time = Time;
  R.Correlation = Correlation;
  char Text[MaxStackData];
  Addresses A;
  size_t Size = pythonStack(Text, sizeof Text);
  R.IsPython = Size != 0;
  if (R.IsPython) {
    R.Data = {Text, Size};
  } else {
    _Unwind_Backtrace(addFrame, &A);
    R.Data = {reinterpret_cast<const char *>(A.List),
              A.Count * sizeof A.List[0]};
  }
  if (!recordStack(R))
    countDropped();
}

void setStackPlan(const StackPlan &Chosen) { Plan = Chosen; }

void forgetStackCalls() { Epoch.fetch_add(1, std::memory_order_relaxed); }

void stackCallBegins(uint64_t *Begin) {
  const uint32_t Now = Epoch.load(std::memory_order_relaxed);
  if (Self.Epoch != Now) {
    Self.Epoch = Now;
    Self.Depth = 0;
  }
  if (++Self.Depth > 1)
    return;
  sampleThisThread();
  *Begin = now();
}

void stackCallEnds(const uint64_t *Begin, const StackCall &Call) {
  if (Self.Depth == 0 || Self.Epoch != Epoch.load(std::memory_order_relaxed))
    return;
  --Self.Depth;
  if (Self.Depth > 0 || !Call.IsRecorded ||
      Stopped.load(std::memory_order_relaxed))
    return;
  CallSeen Seen;
  Seen.Begin = *Begin;
  Seen.End = now();
  Seen.Function = Call.Function;
  Seen.MayWait = Call.MayWait;
  const int Error = errno;
  Seen.Place = Plan.watchesPauses() ? pythonPlace() : 0;
  if (Self.Seen.seeCall(Seen, Plan))
    takeStack(Call.Correlation, Seen.End);
  errno = Error;
}

void stopStacks() {
  Stopped.store(true);
  setSampling(false);
}

// --- The flush thread

static int addModule(dl_phdr_info *Info, size_t, void *Data) {
  auto &Out = *static_cast<Modules *>(Data);
  Out.Adds = Info->dlpi_adds;
  Out.Subs = Info->dlpi_subs;
  Module M = {~uintptr_t(0), 0, Info->dlpi_addr,
              modulePath(*Info, /*IsFirst=*/Out.List.empty())};
  for (int I = 0; I < Info->dlpi_phnum; ++I) {
    const ElfW(Phdr) &Header = Info->dlpi_phdr[I];
    uintptr_t Begin = Info->dlpi_addr + Header.p_vaddr;
    if (Header.p_type != PT_LOAD)
      continue;
    M.Begin = std::min(M.Begin, Begin);
    M.End = std::max(M.End, Begin + Header.p_memsz);
  }
  Out.List.push_back(std::move(M));
  return 0;
}

static int countLoads(dl_phdr_info *Info, size_t, void *Data) {
  auto &Out = *static_cast<Modules *>(Data);
  Out.Adds = Info->dlpi_adds;
  Out.Subs = Info->dlpi_subs;
  return 1;
}

// Updates `Known`. Returns false if a module was unloaded since the last call,
// so that earlier addresses may now belong to another one.
static bool updateModules(Modules &Known) {
  Modules Loaded;
  dl_iterate_phdr(countLoads, &Loaded);
  if (!Known.List.empty() && Loaded.Adds == Known.Adds &&
      Loaded.Subs == Known.Subs)
    return true;
  const bool Same = Known.List.empty() || Loaded.Subs == Known.Subs;
  Known = {};
  dl_iterate_phdr(addModule, &Known);
  return Same;
}

// Adds what the report must know about a module to `Batch`, once.
static void identify(const Module &M, StackBatch &Batch) {
  static auto &Seen = *new std::set<std::string>;
  struct stat Status;
  if (!Seen.insert(M.Path).second || stat(M.Path.c_str(), &Status) != 0)
    return;
  Batch.Modules.push_back(
      {M.Path, static_cast<uint64_t>(Status.st_size),
       static_cast<uint64_t>(Status.st_mtim.tv_sec) * 1'000'000'000 +
           static_cast<uint64_t>(Status.st_mtim.tv_nsec)});
}

// Turns addresses, recorded by takeStack() in `Raw`, into lines of module and
// offset.
static std::string describe(const Modules &Known, std::string_view Raw,
                            StackBatch &Batch) {
  std::string Text;
  for (uintptr_t Address; Raw.size() >= sizeof Address;
       Raw.remove_prefix(sizeof Address)) {
    memcpy(&Address, Raw.data(), sizeof Address);
    auto M = std::find_if(
        Known.List.begin(), Known.List.end(), [&](const Module &Candidate) {
          return Address >= Candidate.Begin && Address < Candidate.End;
        });
    if (M == Known.List.end() || M->Path.empty() || M->Path[0] != '/')
      continue; // Code made at run time, or the vdso.
    char Offset[32];
    snprintf(Offset, sizeof Offset, "+0x%zx\n",
             static_cast<size_t>(Address - M->Base));
    Text += M->Path + Offset;
    identify(*M, Batch);
  }
  return Text;
}

static std::vector<CollectedStack> &collected() {
  static auto &Stacks = *new std::vector<CollectedStack>;
  return Stacks;
}

void collectStack(uint32_t Tid, const StackRecord &R) {
  collected().push_back(
      {{R.Time, R.Correlation, Tid, std::string(R.Data)}, R.IsPython});
}

StackBatch takeStacks() {
  static auto &Known = *new Modules;
  StackBatch Result;
  const bool AreKnown = updateModules(Known);
  for (CollectedStack &C : std::exchange(collected(), {})) {
    if (!C.IsPython)
      C.Stack.Frames = AreKnown ? describe(Known, C.Stack.Frames, Result) : "";
    if (!C.Stack.Frames.empty())
      Result.Stacks.push_back(std::move(C.Stack));
    else
      countDropped();
  }
  Result.Samples = takeSamples();
  for (TimerSample S; takeTimerSample(S);) {
    ThreadSample Sample{
        S.Time, S.Tid, ThreadState::OnTimer, S.Cpu, ThreadSample::Unknown, ""};
    if (AreKnown)
      Sample.Frames = describe(Known,
                               {reinterpret_cast<const char *>(S.Addresses),
                                S.Count * sizeof S.Addresses[0]},
                               Result);
    Result.Samples.push_back(std::move(Sample));
  }
  return Result;
}

} // namespace autoprof::runtime
