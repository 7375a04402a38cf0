// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probes/Nvtx.h"

#include "runtime/probes/Sites.h"

#include <atomic>
#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>

namespace autoprof::runtime {

// The same ranges go to AMD's profilers through ROCTX, which has neither
// domains nor payloads. Not tested on an AMD GPU, only with a library of the
// same ABI.

namespace {
/// The functions of a ROCTX library that is in the process. They copy their
/// arguments, and any thread may call them at any time.
struct Roctx {
  int (*Push)(const char *Text);
  int (*Pop)();
  void (*Mark)(const char *Text);
  uint64_t (*Start)(const char *Text);
  void (*Stop)(uint64_t Range);
};
} // namespace

/// Returns a library that the program opened itself, or null, for which dlsym
/// searches the libraries that are linked or preloaded (RTLD_DEFAULT is null).
static void *openRoctx() {
  static const char *const Names[] = {
      "librocprofiler-sdk-roctx.so.1", "librocprofiler-sdk-roctx.so.0",
      "librocprofiler-sdk-roctx.so", "libroctx64.so.4", "libroctx64.so"};
  if (!dlsym(RTLD_DEFAULT, "roctxRangePushA"))
    for (const char *Name : Names)
      if (void *Library = dlopen(Name, RTLD_LAZY | RTLD_NOLOAD))
        return Library;
  return RTLD_DEFAULT;
}

template <class Function>
static bool find(void *Library, const char *Name, Function *&Result) {
  Result = reinterpret_cast<Function *>(dlsym(Library, Name));
  return Result != nullptr;
}

static bool load(Roctx &Result) {
  void *Library = openRoctx();
  return find(Library, "roctxRangePushA", Result.Push) &&
         find(Library, "roctxRangePop", Result.Pop) &&
         find(Library, "roctxMarkA", Result.Mark) &&
         find(Library, "roctxRangeStartA", Result.Start) &&
         find(Library, "roctxRangeStop", Result.Stop);
}

/// Returns null if the process has no such library; none is loaded for this. A
/// profiler that wants ranges (rocprofv3 --marker-trace) preloads one.
static const Roctx *findRoctx() {
  static Roctx Functions;
  static const bool Found = load(Functions);
  return Found ? &Functions : nullptr;
}

// Null if no tool listens. A process has a tool of NVIDIA or of AMD.
static std::atomic<nvtxDomainHandle_t> Domain{nullptr};
static std::atomic<const Roctx *> Amd{nullptr};

// NVTX returns no domain if there is no tool.
bool startNvtx() {
  static const bool Listens = [] {
    Domain.store(nvtxDomainCreateA("autoprof"));
    Amd.store(findRoctx());
    return Domain.load() != nullptr || Amd.load() != nullptr;
  }();
  return Listens;
}

// Two threads may register the same string: tools return the same handle for
// both, or keep both handles.
static nvtxStringHandle_t registered(Site &S, nvtxDomainHandle_t D) {
  void *Handle = S.NvtxString.load(std::memory_order_acquire);
  if (!Handle) {
    Handle = nvtxDomainRegisterStringA(D, S.Label.c_str());
    S.NvtxString.store(Handle, std::memory_order_release);
  }
  return static_cast<nvtxStringHandle_t>(Handle);
}

namespace {

// The loops that ran in the open ranges of this thread, outer ones first. Plain
// data, like ThreadState in Probes.cpp.
struct LoopCounts {
  struct Loop {
    uint64_t Id, Iterations;
    uint32_t Level; // Number of ranges and sites around it.
  };
  static constexpr uint32_t Limit = 32;
  uint32_t Level, Used;
  Loop Loops[Limit];
};

} // namespace

static thread_local LoopCounts Counts = {};

// Returns the number of the iteration that begins now, or 0 if too many loops
// are open to count it.
static uint64_t countIteration(uint64_t Id) {
  for (uint32_t I = Counts.Used; I-- > 0;)
    if (Counts.Loops[I].Id == Id && Counts.Loops[I].Level == Counts.Level)
      return ++Counts.Loops[I].Iterations;
  if (Counts.Used == LoopCounts::Limit)
    return 0;
  Counts.Loops[Counts.Used++] = {Id, 1, Counts.Level};
  return 1;
}

static nvtxEventAttributes_t describe(const char *Text) {
  nvtxEventAttributes_t Event = {};
  Event.version = NVTX_VERSION;
  Event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  Event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  Event.message.ascii = Text;
  return Event;
}

// ROCTX has no payload: the iteration is left out.
static void pushRoctx(uint64_t Id) {
  if (const Roctx *R = Amd.load(std::memory_order_relaxed)) {
    const Site *S = findSite(Id);
    R->Push(S ? S->Label.c_str() : "unknown site");
  }
}

void pushNvtx(uint64_t Id) {
  pushRoctx(Id);
  nvtxDomainHandle_t D = Domain.load(std::memory_order_relaxed);
  if (!D)
    return;
  nvtxEventAttributes_t Event = describe("unknown site");
  if (Site *S = findSite(Id)) {
    nvtxStringHandle_t Label = registered(*S, D);
    Event.messageType =
        Label ? NVTX_MESSAGE_TYPE_REGISTERED : NVTX_MESSAGE_TYPE_ASCII;
    if (Label)
      Event.message.registered = Label;
    else
      Event.message.ascii = S->Label.c_str();
    if (uint64_t Iteration = S->IsLoop ? countIteration(Id) : 0) {
      Event.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
      Event.payload.ullValue = Iteration;
    }
  }
  ++Counts.Level;
  nvtxDomainRangePushEx(D, &Event);
}

void pushNvtx(const char *Text) {
  if (const Roctx *R = Amd.load(std::memory_order_relaxed))
    R->Push(Text);
  nvtxDomainHandle_t D = Domain.load(std::memory_order_relaxed);
  if (!D)
    return;
  const nvtxEventAttributes_t Event = describe(Text);
  ++Counts.Level;
  nvtxDomainRangePushEx(D, &Event);
}

void markNvtx(const char *Text) {
  if (const Roctx *R = Amd.load(std::memory_order_relaxed))
    R->Mark(Text);
  nvtxDomainHandle_t D = Domain.load(std::memory_order_relaxed);
  const nvtxEventAttributes_t Event = describe(Text);
  if (D)
    nvtxDomainMarkEx(D, &Event);
}

// ROCTX numbers its ranges from 0 or 1, so the id is stored plus one.
static void stepRoctx(const Roctx &R, const char *Text) {
  static std::atomic<uint64_t> Current{0};
  if (const uint64_t Last = Current.exchange(R.Start(Text) + 1))
    R.Stop(Last - 1);
}

void stepNvtx(const char *Text) {
  static std::atomic<nvtxRangeId_t> Current{0};
  if (const Roctx *R = Amd.load(std::memory_order_relaxed))
    stepRoctx(*R, Text);
  nvtxDomainHandle_t D = Domain.load(std::memory_order_relaxed);
  if (!D)
    return;
  const nvtxEventAttributes_t Event = describe(Text);
  if (nvtxRangeId_t Last = Current.exchange(nvtxDomainRangeStartEx(D, &Event)))
    nvtxDomainRangeEnd(D, Last);
}

void popNvtx() {
  if (const Roctx *R = Amd.load(std::memory_order_relaxed))
    R->Pop();
  nvtxDomainHandle_t D = Domain.load(std::memory_order_relaxed);
  if (!D)
    return;
  nvtxDomainRangePop(D);
  if (Counts.Level)
    --Counts.Level;
  while (Counts.Used && Counts.Loops[Counts.Used - 1].Level > Counts.Level)
    --Counts.Used;
}

} // namespace autoprof::runtime
