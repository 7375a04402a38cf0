// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Stacks.h"

#include "Clock.h"
#include "Loss.h"
#include "PythonStack.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <link.h>
#include <set>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

namespace autoprof::runtime {

namespace {

constexpr size_t MostFrames = 48;
constexpr size_t MostText = 2048;
constexpr size_t BufferSize = 1u << 20; // Of stacks not yet fetched.

/// In the buffer, `Size` bytes behind it: text, or addresses.
struct Record {
  uint64_t Time;
  uint32_t Correlation, Tid;
  uint32_t Size;
  bool IsPython;
};

struct Addresses {
  uintptr_t Of[MostFrames];
  size_t Count = 0;
};

struct Module {
  uintptr_t Begin, End, Base;
  std::string Path, BuildId;
};

struct Modules {
  std::vector<Module> List;
  unsigned long long Adds = 0, Subs = 0; ///< dlopens and dlcloses so far.
};

} // namespace

static std::atomic<bool> Stopped{false};
static std::atomic_flag BufferLock = ATOMIC_FLAG_INIT;
static char *Buffer = nullptr; // Never freed.
static size_t Used = 0;

static thread_local unsigned Depth __attribute__((tls_model("initial-exec"))) =
    0;
/// Of BufferLock, or about to be.
static thread_local bool Holding __attribute__((tls_model("initial-exec"))) =
    false;

// It is held for a copy only, but on a busy machine its holder may not run for
// milliseconds. A signal handler must not wait for what it interrupted, and
// nobody for a holder that is gone (0.2 s).
static bool lockBuffer() {
  if (Holding)
    return false;
  Holding = true;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  for (int I = 0; I < 5000; ++I) {
    if (!BufferLock.test_and_set(std::memory_order_acquire))
      return true;
    if (I >= 1000) {
      timespec Pause = {0, 50'000};
      nanosleep(&Pause, nullptr);
    }
  }
  Holding = false;
  return false;
}
static void unlockBuffer() {
  BufferLock.clear(std::memory_order_release);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  Holding = false;
}

static _Unwind_Reason_Code addFrame(_Unwind_Context *Context, void *Data) {
  auto &A = *static_cast<Addresses *>(Data);
  // Of the call, not of what comes behind it, which may be another line's.
  uintptr_t Address = _Unwind_GetIP(Context);
  if (!Address || A.Count == MostFrames)
    return _URC_END_OF_STACK;
  A.Of[A.Count++] = Address - 1;
  return _URC_NO_REASON;
}

static void append(Record R, const void *Data) {
  const size_t Size = sizeof R + R.Size;
  bool Fits = false;
  if (lockBuffer()) {
    Fits = Buffer && Used + Size <= BufferSize;
    if (Fits) {
      memcpy(Buffer + Used, &R, sizeof R);
      memcpy(Buffer + Used + sizeof R, Data, R.Size);
      Used += Size;
    }
    unlockBuffer();
  }
  if (!Fits)
    Lost.StacksDropped.fetch_add(1, std::memory_order_relaxed);
}

static void takeStack(uint32_t Correlation, uint64_t Time) {
  Record R = {Time, Correlation, static_cast<uint32_t>(syscall(SYS_gettid)), 0,
              true};
  char Text[MostText];
  R.Size = static_cast<uint32_t>(pythonStack(Text, sizeof Text));
  if (R.Size)
    return append(R, Text);
  Addresses A;
  _Unwind_Backtrace(addFrame, &A);
  R.IsPython = false;
  R.Size = static_cast<uint32_t>(A.Count * sizeof A.Of[0]);
  append(R, A.Of);
}

void startStacks() {
  if (!Buffer)
    Buffer = static_cast<char *>(malloc(BufferSize));
}

void stackCallBegins(uint64_t *Begin) {
  if (++Depth == 1)
    *Begin = now();
}

void stackCallEnds(const uint64_t *Begin, uint32_t Correlation, bool Wanted) {
  if (Depth == 0)
    return;
  --Depth;
  if (Depth > 0 || !Wanted || Stopped.load(std::memory_order_relaxed))
    return;
  uint64_t Time = now();
  if (Time < *Begin + LongCallNs)
    return;
  int Error = errno;
  takeStack(Correlation, Time);
  errno = Error;
}

void stopStacks() { Stopped.store(true); }

// --- The flush thread

// Of a loaded module's notes; "" if there is none.
static std::string buildId(const char *At, size_t Left) {
  auto Padded = [](size_t N) { return (N + 3) & ~size_t(3); };
  while (Left >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) Header;
    memcpy(&Header, At, sizeof Header);
    size_t Id = sizeof Header + Padded(Header.n_namesz);
    size_t Whole = Id + Padded(Header.n_descsz);
    if (Header.n_namesz > Left || Header.n_descsz > Left || Whole > Left)
      break;
    if (Header.n_type == NT_GNU_BUILD_ID && Header.n_namesz == 4 &&
        memcmp(At + sizeof Header, "GNU", 4) == 0) {
      std::string Text;
      char Hex[3];
      for (size_t I = 0; I < Header.n_descsz; ++I) {
        snprintf(Hex, sizeof Hex, "%02x", static_cast<uint8_t>(At[Id + I]));
        Text += Hex;
      }
      return Text;
    }
    At += Whole;
    Left -= Whole;
  }
  return "";
}

static int addModule(dl_phdr_info *Info, size_t, void *Data) {
  auto &To = *static_cast<Modules *>(Data);
  To.Adds = Info->dlpi_adds;
  To.Subs = Info->dlpi_subs;
  Module M = {~uintptr_t(0), 0, Info->dlpi_addr, Info->dlpi_name, {}};
  for (int I = 0; I < Info->dlpi_phnum; ++I) {
    const ElfW(Phdr) &Header = Info->dlpi_phdr[I];
    uintptr_t Begin = Info->dlpi_addr + Header.p_vaddr;
    if (Header.p_type == PT_NOTE && M.BuildId.empty())
      M.BuildId =
          buildId(reinterpret_cast<const char *>(Begin), Header.p_memsz);
    if (Header.p_type != PT_LOAD)
      continue;
    M.Begin = std::min(M.Begin, Begin);
    M.End = std::max(M.End, Begin + Header.p_memsz);
  }
  if (M.Path.empty()) { // The program itself comes first and has no name.
    char Path[4096];
    ssize_t Length =
        To.List.empty() ? readlink("/proc/self/exe", Path, sizeof Path) : -1;
    M.Path.assign(Path, Length > 0 ? static_cast<size_t>(Length) : 0);
  }
  To.List.push_back(std::move(M));
  return 0;
}

static int countLoads(dl_phdr_info *Info, size_t, void *Data) {
  auto &To = *static_cast<Modules *>(Data);
  To.Adds = Info->dlpi_adds;
  To.Subs = Info->dlpi_subs;
  return 1;
}

// Brings `Known` up to date. False: a module went away since the last call, so
// that addresses from before may now be another one's.
static bool updateModules(Modules &Known) {
  Modules Now;
  dl_iterate_phdr(countLoads, &Now);
  if (!Known.List.empty() && Now.Adds == Known.Adds && Now.Subs == Known.Subs)
    return true;
  const bool Same = Known.List.empty() || Now.Subs == Known.Subs;
  Known = {};
  dl_iterate_phdr(addModule, &Known);
  return Same;
}

// Adds to `Batch` what the report must know of a module, once.
static void identify(const Module &M, StackBatch &Batch) {
  static auto &Seen = *new std::set<std::string>;
  struct stat Status;
  if (!Seen.insert(M.Path).second || stat(M.Path.c_str(), &Status) != 0)
    return;
  Batch.Modules.push_back(
      {M.Path, M.BuildId, static_cast<uint64_t>(Status.st_size),
       static_cast<uint64_t>(Status.st_mtim.tv_sec) * 1'000'000'000 +
           static_cast<uint64_t>(Status.st_mtim.tv_nsec)});
}

static std::string describe(const Modules &In, const uintptr_t *Addresses,
                            size_t Count, StackBatch &Batch) {
  std::string Text;
  for (size_t I = 0; I < Count; ++I) {
    auto M = std::find_if(In.List.begin(), In.List.end(),
                          [&](const Module &Candidate) {
                            return Addresses[I] >= Candidate.Begin &&
                                   Addresses[I] < Candidate.End;
                          });
    if (M == In.List.end() || M->Path.empty() || M->Path[0] != '/')
      continue; // Made at run time, or the vdso.
    char Offset[32];
    snprintf(Offset, sizeof Offset, "+0x%zx\n",
             static_cast<size_t>(Addresses[I] - M->Base));
    Text += M->Path + Offset;
    identify(*M, Batch);
  }
  return Text;
}

StackBatch takeStacks() {
  static auto &Known = *new Modules;
  std::string Taken;
  while (!lockBuffer())
    ;
  if (Used)
    Taken.assign(Buffer, Used);
  Used = 0;
  unlockBuffer();
  StackBatch Result;
  const bool AreKnown = updateModules(Known);
  for (size_t At = 0; At < Taken.size();) {
    Record R;
    memcpy(&R, Taken.data() + At, sizeof R);
    const char *Data = Taken.data() + At + sizeof R;
    At += sizeof R + R.Size;
    CallStack S = {R.Time, R.Correlation, R.Tid, {}};
    if (R.IsPython) {
      S.Frames.assign(Data, R.Size);
    } else if (AreKnown) {
      uintptr_t Of[MostFrames];
      memcpy(Of, Data, R.Size);
      S.Frames = describe(Known, Of, R.Size / sizeof Of[0], Result);
    }
    if (!S.Frames.empty())
      Result.Stacks.push_back(std::move(S));
    else
      Lost.StacksDropped.fetch_add(1, std::memory_order_relaxed);
  }
  return Result;
}

} // namespace autoprof::runtime
