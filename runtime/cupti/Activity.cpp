// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cupti/Activity.h"

#include "runtime/support/Json.h"

#include <climits>
#include <cstdlib>
#include <cxxabi.h>
#include <iterator>

namespace autoprof::runtime {

bool Layout::of(uint32_t CuptiVersion, Layout &Result) {
  const uint32_t Cuda120 = 19, LastOfCuda12 = 99;
  const uint32_t Cuda130 = 130000, Cuda140 = 140000;
  Result.HasOverheadData = CuptiVersion >= Cuda130;
  return (CuptiVersion >= Cuda120 && CuptiVersion <= LastOfCuda12) ||
         (CuptiVersion >= Cuda130 && CuptiVersion < Cuda140);
}

uint64_t CorrelationCounter::widen(uint32_t Id) {
  if (Id == 0)
    return 0;
  int64_t Step = static_cast<int32_t>(Id - static_cast<uint32_t>(Last));
  // Wide ids are not negative: a step back beyond 0 is really a step forward,
  // across a wrap.
  if (Step < 0 && static_cast<uint64_t>(-Step) > Last)
    Step += int64_t(1) << 32;
  uint64_t Wide = Last + static_cast<uint64_t>(Step);
  if (Wide > Last)
    Last = Wide;
  return Wide;
}

std::string stripVersion(std::string_view Name) {
  for (;;) {
    size_t End = Name.find_last_not_of("0123456789");
    bool HasDigits = End != std::string_view::npos && End + 1 < Name.size();
    if (HasDigits && End >= 1 && Name[End] == 'v' && Name[End - 1] == '_')
      Name = Name.substr(0, End - 1);
    else if (Name.size() > 5 && (Name.substr(Name.size() - 5) == "_ptds" ||
                                 Name.substr(Name.size() - 5) == "_ptsz"))
      Name.remove_suffix(5);
    else
      return std::string(Name);
  }
}

static std::string demangled(const char *Mangled) {
  int Status = 0;
  char *Text = abi::__cxa_demangle(Mangled, nullptr, nullptr, &Status);
  std::string Result = Status == 0 && Text ? Text : Mangled;
  free(Text);
  return Result;
}

// Keyed by CUPTI's pointer to the name, of which each kernel has one. The names
// are compared as well, because a module that is unloaded may leave its address
// to another.
const ActivityDecoder::Kernel &ActivityDecoder::kernel(const char *Mangled) {
  if (!Mangled)
    Mangled = "unknown kernel";
  Kernel &K = Kernels[Mangled];
  if (K.Mangled != Mangled) {
    K.Mangled = Mangled;
    K.Name = demangled(Mangled);
    K.Hash = 0;
    for (char C : K.Mangled)
      K.Hash = mix(K.Hash, static_cast<unsigned char>(C));
  }
  return K;
}

static std::string
words(std::initializer_list<std::pair<const char *, uint64_t>> Pairs) {
  std::string Result;
  for (const auto &[Key, Value] : Pairs)
    Result += ' ' + (Key + ('=' + std::to_string(Value)));
  return Result;
}

static std::string triple(const char *Key, int32_t X, int32_t Y, int32_t Z) {
  return std::string(" ") + Key + '=' + std::to_string(X) + ',' +
         std::to_string(Y) + ',' + std::to_string(Z);
}

static std::string graphWord(uint32_t Graph) {
  return Graph ? " graph=" + std::to_string(Graph) : "";
}

void ActivityDecoder::decode(const KernelRecord &K) {
  const Kernel &Function = kernel(K.name);
  uint64_t Shared = static_cast<uint64_t>(K.staticSharedMemory) +
                    static_cast<uint64_t>(K.dynamicSharedMemory);
  uint64_t Key = Function.Hash;
  for (int32_t Part : {K.gridX, K.gridY, K.gridZ, K.blockX, K.blockY, K.blockZ})
    Key = mix(Key, static_cast<uint32_t>(Part));
  Key = mix(mix(mix(Key, Shared), K.registersPerThread), K.graphId);
  DeviceOfContext[K.contextId] = K.deviceId;
  Out.gpuOperation(
      {K.deviceId, K.contextId, K.streamId, K.start, K.end,
       Correlations.widen(K.correlationId)},
      Key, [&] {
        return StageText{
            Function.Name,
            "op=kernel" + triple("grid", K.gridX, K.gridY, K.gridZ) +
                triple("block", K.blockX, K.blockY, K.blockZ) +
                words({{"smem", Shared}, {"regs", K.registersPerThread}}) +
                graphWord(K.graphId)};
      });
}

static const char *direction(uint8_t Kind) {
  static const char *const Names[] = {"unknown", "HtoD", "DtoH", "HtoA",
                                      "AtoH",    "AtoA", "AtoD", "DtoA",
                                      "DtoD",    "HtoH", "PtoP"};
  return Names[Kind < std::size(Names) ? Kind : 0];
}

namespace {
struct MemoryName {
  const char *Word, *Label;
};
} // namespace

static MemoryName memoryName(unsigned Kind) {
  static const MemoryName Names[] = {
      {"unknown", "Unknown"}, {"pageable", "Pageable"}, {"pinned", "Pinned"},
      {"device", "Device"},   {"array", "Array"},       {"managed", "Managed"},
      {"device", "Device"},   {"managed", "Managed"}};
  return Names[Kind < std::size(Names) ? Kind : 0];
}

template <typename Copy> void ActivityDecoder::decodeCopy(const Copy &C) {
  uint64_t Key = mix(mix(C.kind, C.bytes), C.graphId);
  Key = mix(Key, C.copyKind | C.srcKind << 8 | C.dstKind << 16);
  DeviceOfContext[C.contextId] = C.deviceId;
  Out.gpuOperation(
      {C.deviceId, C.contextId, C.streamId, C.start, C.end,
       Correlations.widen(C.correlationId)},
      Key, [&] {
        const char *Kind = direction(C.copyKind);
        MemoryName From = memoryName(C.srcKind), To = memoryName(C.dstKind);
        return StageText{std::string("Memcpy ") + Kind + " (" + From.Label +
                             " -> " + To.Label + ")",
                         std::string("op=copy kind=") + Kind +
                             " src=" + From.Word + " dst=" + To.Word +
                             words({{"bytes", C.bytes}}) +
                             graphWord(C.graphId)};
      });
}

void ActivityDecoder::decode(const CUpti_ActivityMemcpy6 &C) { decodeCopy(C); }
void ActivityDecoder::decode(const CUpti_ActivityMemcpyPtoP4 &C) {
  decodeCopy(C);
}

void ActivityDecoder::decode(const CUpti_ActivityMemset4 &S) {
  uint64_t Key = mix(mix(mix(S.kind, S.bytes), S.graphId), S.memoryKind);
  DeviceOfContext[S.contextId] = S.deviceId;
  Out.gpuOperation({S.deviceId, S.contextId, S.streamId, S.start, S.end,
                    Correlations.widen(S.correlationId)},
                   Key, [&] {
                     MemoryName Target = memoryName(S.memoryKind);
                     return StageText{
                         std::string("Memset (") + Target.Label + ")",
                         std::string("op=set kind=") + Target.Word +
                             words({{"bytes", S.bytes}}) +
                             graphWord(S.graphId)};
                   });
}

// A graph that begins on the host (with a host node) is attributed to the
// device on which it ends. Only CUPTI versions whose record has the fields of
// the end report such a device.
void ActivityDecoder::decode(const CUpti_ActivityGraphTrace2 &G) {
  const bool BeginsOnHost = G.deviceId == INT_MAX;
  const uint32_t Device = BeginsOnHost ? G.endDeviceId : G.deviceId,
                 Context = BeginsOnHost ? G.endContextId : G.contextId;
  if (Device == INT_MAX)
    return; // No part of the graph ran on a device.
  DeviceOfContext[Context] = Device;
  Out.gpuOperation({Device, Context, G.streamId, G.start, G.end,
                    Correlations.widen(G.correlationId)},
                   mix(G.kind, G.graphId), [&] {
                     return StageText{"CUDA graph " + std::to_string(G.graphId),
                                      "op=graph" + graphWord(G.graphId)};
                   });
}

const char *ActivityDecoder::functionName(Domain Api, uint32_t Callback) {
  std::string &Name = Functions[static_cast<uint64_t>(Api) << 32 | Callback];
  if (Name.empty()) {
    const char *Full = NameOf(Api, Callback);
    Name = Full ? stripVersion(Full)
                : "unknown function " + std::to_string(Callback);
  }
  return Name.c_str();
}

void ActivityDecoder::decode(const CUpti_ActivityAPI &A, Domain Api) {
  Out.apiCall({Api, A.cbid, A.threadId, A.start, A.end,
               Correlations.widen(A.correlationId)},
              functionName(Api, A.cbid));
}

void ActivityDecoder::decode(const CUpti_ActivityOverhead3 &O) {
  bool HasThread = O.objectKind == CUPTI_ACTIVITY_OBJECT_THREAD;
  Out.overhead({static_cast<uint32_t>(O.overheadKind),
                HasThread ? O.objectId.pt.threadId : 0, O.start, O.end});
  // CUPTI's documentation makes its client free this block.
  if (Records.HasOverheadData)
    free(O.overheadData);
}

void ActivityDecoder::decode(const CUpti_ActivityDevice5 &D) {
  JsonObject Json;
  Json.number("id", D.id)
      .text("name", D.name ? D.name : "unknown")
      .text("compute", std::to_string(D.computeCapabilityMajor) + "." +
                           std::to_string(D.computeCapabilityMinor))
      .number("sms", D.numMultiprocessors)
      .number("warps_per_sm", D.maxWarpsPerMultiprocessor)
      .number("blocks_per_sm", D.maxBlocksPerMultiprocessor)
      .number("registers_per_sm", D.maxRegistersPerMultiprocessor)
      .number("shared_per_sm", D.maxSharedMemoryPerMultiprocessor)
      .number("memory_bytes", D.globalMemorySize);
  Out.standing("device", D.id, Json.str());
}

void ActivityDecoder::describeStream(uint32_t Id, const Stream &S) {
  uint64_t Key = static_cast<uint64_t>(S.Context) << 32 | Id;
  Out.standing("stream", Key,
               JsonObject()
                   .number("id", Id)
                   .number("context", S.Context)
                   .number("device", DeviceOfContext[S.Context])
                   .text("flag", S.Flag)
                   .str());
}

void ActivityDecoder::decode(const CUpti_ActivityContext3 &C) {
  DeviceOfContext[C.contextId] = C.deviceId;
  describeStream(C.nullStreamId, {C.contextId, "null"});
  for (auto It = Waiting.begin(); It != Waiting.end();) {
    bool Known = It->second.Context == C.contextId;
    if (Known)
      describeStream(It->first.second, It->second);
    It = Known ? Waiting.erase(It) : std::next(It);
  }
}

void ActivityDecoder::decode(const CUpti_ActivityStream &S) {
  const char *Flag =
      S.flag == CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT        ? "default"
      : S.flag == CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING ? "nonblocking"
      : S.flag == CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL         ? "null"
                                                                 : "unknown";
  if (DeviceOfContext.count(S.contextId))
    describeStream(S.streamId, {S.contextId, Flag});
  else
    Waiting[{S.contextId, S.streamId}] = {S.contextId, Flag};
}

void ActivityDecoder::decode(const CUpti_ActivityMemory4 &M) {
  const bool IsRelease =
      M.memoryOperationType == CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE;
  if (!IsRelease &&
      M.memoryOperationType != CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION)
    return;
  Out.memory({IsRelease, memoryName(M.memoryKind).Word, M.deviceId, M.address,
              M.bytes, M.timestamp, Correlations.widen(M.correlationId)});
}

void ActivityDecoder::decode(const CUpti_Activity &Record) {
#define AUTOPROF_AS(Type) reinterpret_cast<const Type &>(Record)
  switch (Record.kind) {
  case CUPTI_ACTIVITY_KIND_KERNEL:
  case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    return decode(AUTOPROF_AS(KernelRecord));
  case CUPTI_ACTIVITY_KIND_MEMCPY:
    return decode(AUTOPROF_AS(CUpti_ActivityMemcpy6));
  case CUPTI_ACTIVITY_KIND_MEMCPY2:
    return decode(AUTOPROF_AS(CUpti_ActivityMemcpyPtoP4));
  case CUPTI_ACTIVITY_KIND_MEMSET:
    return decode(AUTOPROF_AS(CUpti_ActivityMemset4));
  case CUPTI_ACTIVITY_KIND_GRAPH_TRACE:
    return decode(AUTOPROF_AS(CUpti_ActivityGraphTrace2));
  case CUPTI_ACTIVITY_KIND_RUNTIME:
    return decode(AUTOPROF_AS(CUpti_ActivityAPI), Domain::Runtime);
  case CUPTI_ACTIVITY_KIND_DRIVER:
    return decode(AUTOPROF_AS(CUpti_ActivityAPI), Domain::Driver);
  case CUPTI_ACTIVITY_KIND_OVERHEAD:
    return decode(AUTOPROF_AS(CUpti_ActivityOverhead3));
  case CUPTI_ACTIVITY_KIND_DEVICE:
    return decode(AUTOPROF_AS(CUpti_ActivityDevice5));
  case CUPTI_ACTIVITY_KIND_CONTEXT:
    return decode(AUTOPROF_AS(CUpti_ActivityContext3));
  case CUPTI_ACTIVITY_KIND_STREAM:
    return decode(AUTOPROF_AS(CUpti_ActivityStream));
  case CUPTI_ACTIVITY_KIND_MEMORY2:
    return decode(AUTOPROF_AS(CUpti_ActivityMemory4));
  default:
    return;
  }
#undef AUTOPROF_AS
}

} // namespace autoprof::runtime
