// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probes/Nvtx.h"

#include "runtime/probes/Sites.h"

#include <atomic>
#include <nvtx3/nvToolsExt.h>

namespace autoprof::runtime {

static std::atomic<nvtxDomainHandle_t> Domain{
    nullptr}; // Null: no tool listens.

// NVTX returns no domain if there is no tool.
bool startNvtx() {
  static const bool Listens = [] {
    Domain.store(nvtxDomainCreateA("autoprof"));
    return Domain.load() != nullptr;
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
  }
  nvtxDomainRangePushEx(D, &Event);
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
  if (nvtxDomainHandle_t D = Domain.load(std::memory_order_relaxed))
    nvtxDomainRangePop(D);
}

} // namespace autoprof::runtime
