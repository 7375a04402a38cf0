// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probes/Nvtx.h"

#include "runtime/probes/Sites.h"

#include <atomic>
#include <nvtx3/nvToolsExt.h>

namespace autoprof::runtime {

static std::atomic<nvtxDomainHandle_t> Domain{nullptr};

// NVTX returns no domain when no tool is there.
bool startNvtx() {
  static const bool Listens = [] {
    Domain.store(nvtxDomainCreateA("autoprof"));
    return Domain.load() != nullptr;
  }();
  return Listens;
}

// Two threads may register the same string; tools return the same handle for
// it, or keep both.
static nvtxStringHandle_t registered(Site &S, nvtxDomainHandle_t D) {
  void *Handle = S.NvtxString.load(std::memory_order_acquire);
  if (!Handle) {
    Handle = nvtxDomainRegisterStringA(D, S.Label.c_str());
    S.NvtxString.store(Handle, std::memory_order_release);
  }
  return static_cast<nvtxStringHandle_t>(Handle);
}

namespace {

// The loops that ran in the open ranges of this thread, outer ones first.
// Plain data, like ThreadState in Probes.cpp.
struct LoopCounts {
  struct Loop {
    uint64_t Id, Iterations;
    uint32_t Level; // Ranges and sites around it.
  };
  static constexpr uint32_t Limit = 32;
  uint32_t Level, Used;
  Loop Loops[Limit];
};

} // namespace

static thread_local LoopCounts Counts = {};

// Which iteration begins now; 0 when too many loops are open to tell.
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

void pushNvtx(uint64_t Id) {
  nvtxDomainHandle_t D = Domain.load(std::memory_order_relaxed);
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
  nvtxDomainHandle_t D = Domain.load(std::memory_order_relaxed);
  if (!D)
    return;
  const nvtxEventAttributes_t Event = describe(Text);
  ++Counts.Level;
  nvtxDomainRangePushEx(D, &Event);
}

void markNvtx(const char *Text) {
  nvtxDomainHandle_t D = Domain.load(std::memory_order_relaxed);
  const nvtxEventAttributes_t Event = describe(Text);
  if (D)
    nvtxDomainMarkEx(D, &Event);
}

void stepNvtx(const char *Text) {
  static std::atomic<nvtxRangeId_t> Current{0};
  nvtxDomainHandle_t D = Domain.load(std::memory_order_relaxed);
  if (!D)
    return;
  const nvtxEventAttributes_t Event = describe(Text);
  if (nvtxRangeId_t Last = Current.exchange(nvtxDomainRangeStartEx(D, &Event)))
    nvtxDomainRangeEnd(D, Last);
}

void popNvtx() {
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
