// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUPTI records as CUPTI 13.0 fills them, for tests on machines without a GPU.
#pragma once

#include "runtime/cupti/Activity.h"
#include "runtime/probes/Probes.h"

#include <cupti.h>

namespace fabricated {

inline CUpti_ActivityContext3 context(uint32_t Id, uint16_t NullStream) {
  CUpti_ActivityContext3 C = {};
  C.kind = CUPTI_ACTIVITY_KIND_CONTEXT;
  C.contextId = Id;
  C.deviceId = 0;
  C.nullStreamId = NullStream;
  return C;
}

inline CUpti_ActivityStream stream(uint32_t Id, uint32_t Context,
                                   CUpti_ActivityStreamFlag Flag) {
  CUpti_ActivityStream S = {};
  S.kind = CUPTI_ACTIVITY_KIND_STREAM;
  S.contextId = Context;
  S.streamId = Id;
  S.flag = Flag;
  return S;
}

inline CUpti_ActivityDevice5 device() {
  CUpti_ActivityDevice5 D = {};
  D.kind = CUPTI_ACTIVITY_KIND_DEVICE;
  D.name = "NVIDIA H200";
  D.computeCapabilityMajor = 9;
  D.numMultiprocessors = 132;
  D.maxWarpsPerMultiprocessor = 64;
  D.maxBlocksPerMultiprocessor = 32;
  D.maxRegistersPerMultiprocessor = 65536;
  D.maxSharedMemoryPerMultiprocessor = 233472;
  D.globalMemorySize = 150754820096;
  return D;
}

inline CUpti_ActivityAPI api(CUpti_ActivityKind Kind, uint32_t Callback,
                             uint32_t Tid, uint64_t Start, uint64_t End,
                             uint32_t Correlation) {
  CUpti_ActivityAPI A = {};
  A.kind = Kind;
  A.cbid = Callback;
  A.start = Start;
  A.end = End;
  A.threadId = Tid;
  A.correlationId = Correlation;
  return A;
}

inline autoprof::runtime::KernelRecord kernel(const char *Name, uint32_t Stream,
                                              uint64_t Start, uint64_t End,
                                              uint32_t Correlation) {
  autoprof::runtime::KernelRecord K = {};
  K.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  K.name = Name;
  K.contextId = 1;
  K.streamId = Stream;
  K.start = Start;
  K.end = End;
  K.correlationId = Correlation;
  K.gridX = 80;
  K.gridY = K.gridZ = 1;
  K.blockX = 256;
  K.blockY = K.blockZ = 1;
  K.staticSharedMemory = 16;
  K.dynamicSharedMemory = 1024;
  K.registersPerThread = 32;
  return K;
}

inline CUpti_ActivityMemcpy6 copy(uint8_t Kind, uint8_t From, uint8_t To,
                                  uint64_t Bytes, uint64_t Start, uint64_t End,
                                  uint32_t Correlation) {
  CUpti_ActivityMemcpy6 C = {};
  C.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  C.copyKind = Kind;
  C.srcKind = From;
  C.dstKind = To;
  C.bytes = Bytes;
  C.contextId = 1;
  C.streamId = 7;
  C.start = Start;
  C.end = End;
  C.correlationId = Correlation;
  return C;
}

inline CUpti_ActivityMemset4 set(uint16_t Memory, uint64_t Bytes,
                                 uint64_t Start, uint64_t End,
                                 uint32_t Correlation) {
  CUpti_ActivityMemset4 S = {};
  S.kind = CUPTI_ACTIVITY_KIND_MEMSET;
  S.memoryKind = Memory;
  S.bytes = Bytes;
  S.contextId = 1;
  S.streamId = 7;
  S.start = Start;
  S.end = End;
  S.correlationId = Correlation;
  return S;
}

inline CUpti_ActivityGraphTrace2 graph(uint32_t Graph, uint32_t Stream,
                                       uint64_t Start, uint64_t End,
                                       uint32_t Correlation) {
  CUpti_ActivityGraphTrace2 G = {};
  G.kind = CUPTI_ACTIVITY_KIND_GRAPH_TRACE;
  G.graphId = Graph;
  G.contextId = G.endContextId = 1;
  G.streamId = Stream;
  G.start = Start;
  G.end = End;
  G.correlationId = Correlation;
  return G;
}

inline CUpti_ActivityOverhead3 overhead(CUpti_ActivityOverheadKind Kind,
                                        uint32_t Tid, uint64_t Start,
                                        uint64_t End) {
  CUpti_ActivityOverhead3 O = {};
  O.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
  O.overheadKind = Kind;
  O.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
  O.objectId.pt.threadId = Tid;
  O.start = Start;
  O.end = End;
  return O;
}

inline CUpti_ActivityMemory4 memory(CUpti_ActivityMemoryOperationType Type,
                                    CUpti_ActivityMemoryKind Kind,
                                    uint64_t Address, uint64_t Bytes,
                                    uint64_t At, uint32_t Correlation) {
  CUpti_ActivityMemory4 M = {};
  M.kind = CUPTI_ACTIVITY_KIND_MEMORY2;
  M.memoryOperationType = Type;
  M.memoryKind = Kind;
  M.address = Address;
  M.bytes = Bytes;
  M.timestamp = At;
  M.correlationId = Correlation;
  M.contextId = 1;
  return M;
}

/// As cuptiGetCallbackName names the functions 1, 2, ... of a domain.
inline const char *functionName(autoprof::runtime::Domain In,
                                uint32_t Callback) {
  static const char *const Runtime[] = {
      "cudaLaunchKernel_v7000", "cudaMemcpy_ptds_v7000",
      "cudaStreamSynchronize_v3020", "cudaMalloc_v3020"};
  static const char *const Driver[] = {"cuMemcpyDtoH_v2_ptds"};
  if (In == autoprof::runtime::Domain::Driver)
    return Callback == 1 ? Driver[0] : nullptr;
  return Callback >= 1 && Callback <= 4 ? Runtime[Callback - 1] : nullptr;
}

/// Feeds a record of any kind.
template <typename Record>
void decode(autoprof::runtime::ActivityDecoder &Decoder, const Record &R) {
  Decoder.decode(reinterpret_cast<const CUpti_Activity &>(R));
}

/// What a program leaves that does nothing but launch, as the flush thread
/// meets it: `Turns` times `Launches` launches with their calls, in CUPTI's
/// order, then their probes at the site. `Flush()` ends a turn. Times and ids
/// are of a run of some seconds on a fast GPU.
template <typename Function>
void launches(autoprof::runtime::Trace &T,
              autoprof::runtime::ActivityDecoder &D, uint64_t Zero,
              uint64_t SiteId, uint32_t Turns, uint32_t Launches,
              Function Flush) {
  const uint32_t Tid = 4711;
  uint64_t At = Zero + 20000000000; // It has run for some time.
  uint32_t Correlation = 3'000'000, Noise = 1;
  auto Jitter = [&Noise](uint32_t Ns) { // Less than Ns.
    Noise = Noise * 1664525 + 1013904223;
    return static_cast<uint64_t>(Noise >> 16) * Ns >> 16;
  };
  for (uint32_t Turn = 0; Turn < Turns; ++Turn) {
    std::vector<autoprof::runtime::ProbeRecord> Probes;
    for (uint32_t I = 0; I < Launches; ++I) {
      const uint64_t Begin = At + 400 + Jitter(200);
      const uint64_t End = Begin + 3500 + Jitter(1500);
      decode(D, api(CUPTI_ACTIVITY_KIND_RUNTIME, 1, Tid, Begin, End,
                    ++Correlation));
      decode(D, kernel("_Z4stepPfi", 13, End + 900, End + 2000 + Jitter(500),
                       Correlation));
      Probes.push_back({SiteId, Begin - 350, End + 40});
      At = End + 40 + Jitter(60);
    }
    for (const auto &P : Probes)
      T.probe(Tid, P.Id, P.Begin, P.End);
    Flush();
  }
}

} // namespace fabricated
