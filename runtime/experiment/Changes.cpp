// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/experiment/Changes.h"

#include "runtime/experiment/Places.h"
#include "runtime/experiment/Timing.h"
#include "runtime/protocol/Experiment.h"

#include <cstring>
#include <map>
#include <mutex>
#include <vector>

namespace autoprof::runtime {

namespace {

/// Larger copies are made as they are.
constexpr size_t MostStaged = size_t(256) << 20;

/// Pinned memory, and what became of the copy that uses it.
struct Stage {
  void *Host = nullptr;
  size_t Room = 0;
  size_t Used = 0; ///< By the copy; 0: there was none yet.
  CUevent Done = nullptr;
};

/// The copies of one direction at one place.
struct Copies {
  std::mutex M;
  CUcontext Context = nullptr; ///< Of the stages.
  unsigned Turn = 0;           ///< Of the last copy.
  std::vector<Stage> Stages;
  size_t Next = 0;
};

struct KeptMemory {
  std::mutex M;
  std::map<std::pair<CUcontext, size_t>, std::vector<CUdeviceptr>> Free;
};

} // namespace

static Copies &copiesAt(unsigned Place, bool ToHost) {
  static auto *All = new Copies[MostPlaces][2];
  return All[Place][ToHost];
}

static KeptMemory &kept() {
  static auto &K = *new KeptMemory;
  return K;
}

static bool isCaptured(CUstream Stream) {
  CUstreamCaptureStatus Status = CU_STREAM_CAPTURE_STATUS_NONE;
  return AUTOPROF_DRIVER(cuStreamIsCapturing, Stream, &Status) !=
             CUDA_SUCCESS ||
         Status != CU_STREAM_CAPTURE_STATUS_NONE;
}

// Makes room in a stage whose copy has ended.
static bool makeRoom(Stage &S, size_t Size) {
  if (!S.Done && AUTOPROF_DRIVER(cuEventCreate, &S.Done,
                                 CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS)
    return false;
  if (S.Room >= Size)
    return true;
  if (S.Host)
    AUTOPROF_DRIVER(cuMemFreeHost, S.Host);
  S.Room = S.Used = 0;
  S.Host = nullptr;
  if (AUTOPROF_DRIVER(cuMemHostAlloc, &S.Host, Size, 0) != CUDA_SUCCESS)
    return false;
  S.Room = Size;
  return true;
}

static CUcontext presentContext() {
  CUcontext Context = nullptr;
  AUTOPROF_DRIVER(cuCtxGetCurrent, &Context);
  return Context;
}

// The stages of the present context, `Count` of them; null if they belong to
// another one.
static std::vector<Stage> *stagesOf(Copies &C, size_t Count) {
  CUcontext Context = presentContext();
  if (!C.Context) {
    C.Context = Context;
    C.Stages.resize(Count);
  }
  return Context && C.Context == Context ? &C.Stages : nullptr;
}

// Waits for the stage's copy, if there is one.
static bool finish(Stage &S) {
  return !S.Used || AUTOPROF_DRIVER(cuEventSynchronize, S.Done) == CUDA_SUCCESS;
}

static thread_local CUstream LastStream
    __attribute__((tls_model("initial-exec"))) = nullptr;

void noteLaunch(CUstream Stream) { LastStream = Stream; }

Changed changeSynchronization(bool OfDevice) {
  const std::optional<Place> Here = placeHere();
  if (!Here)
    return std::nullopt;
  const bool IsNarrowed = Here->Late == NarrowedWait;
  if (IsNarrowed && !(OfDevice && LastStream))
    return std::nullopt;
  countChanged();
  return IsNarrowed ? AUTOPROF_DRIVER(cuStreamSynchronize, LastStream)
                    : CUDA_SUCCESS;
}

Changed changeCopyToHost(void *To, CUdeviceptr From, size_t Size,
                         CUstream Stream) {
  const std::optional<Place> Here = placeHere();
  if (!Here || !Size || Size > MostStaged || isCaptured(Stream))
    return std::nullopt;
  Copies &C = copiesAt(Here->Index, /*ToHost=*/true);
  std::lock_guard<std::mutex> Lock(C.M);
  std::vector<Stage> *Stages = stagesOf(C, Here->Late + size_t(1));
  if (!Stages)
    return std::nullopt;
  if (C.Turn != Here->Turn) // What earlier copies brought is too old.
    for (Stage &S : *Stages)
      S.Used = finish(S) ? 0 : S.Used;
  C.Turn = Here->Turn;
  Stage &Mine = (*Stages)[C.Next];
  C.Next = (C.Next + 1) % Stages->size();
  // Of as many copies ago as there are other stages.
  Stage &Earlier = (*Stages)[C.Next];
  if (Here->Late == 0 && Mine.Used == Size) {
    memcpy(To, Mine.Host, Size);
    countChanged();
    return CUDA_SUCCESS;
  }
  if (!finish(Mine) || !makeRoom(Mine, Size))
    return std::nullopt;
  const CUresult Result =
      AUTOPROF_DRIVER(cuMemcpyDtoHAsync, Mine.Host, From, Size, Stream);
  if (Result != CUDA_SUCCESS)
    return Result;
  if (AUTOPROF_DRIVER(cuEventRecord, Mine.Done, Stream) != CUDA_SUCCESS)
    return std::nullopt;
  Mine.Used = Size;
  // A copy of another size is something else: the program gets its own value.
  Stage &Source = Earlier.Used == Size ? Earlier : Mine;
  if (!finish(Source))
    return std::nullopt; // The program's own call finds the error.
  memcpy(To, Source.Host, Size);
  if (Here->Late && &Source == &Earlier)
    countChanged();
  return CUDA_SUCCESS;
}

static bool isPageable(const void *Host) {
  CUmemorytype Type = CU_MEMORYTYPE_HOST;
  return AUTOPROF_DRIVER(cuPointerGetAttribute, &Type,
                         CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                         reinterpret_cast<CUdeviceptr>(Host)) != CUDA_SUCCESS;
}

Changed changeCopyFromHost(CUdeviceptr To, const void *From, size_t Size,
                           CUstream Stream) {
  // So many copies may be under way.
  constexpr size_t Depth = 8;
  const std::optional<Place> Here = placeHere();
  if (!Here || !Size || Size > MostStaged || !isPageable(From) ||
      isCaptured(Stream))
    return std::nullopt;
  Copies &C = copiesAt(Here->Index, /*ToHost=*/false);
  std::lock_guard<std::mutex> Lock(C.M);
  std::vector<Stage> *Stages = stagesOf(C, Depth);
  if (!Stages)
    return std::nullopt;
  Stage &Mine = (*Stages)[C.Next];
  C.Next = (C.Next + 1) % Depth;
  if (!finish(Mine) || !makeRoom(Mine, Size))
    return std::nullopt;
  memcpy(Mine.Host, From, Size);
  const CUresult Result =
      AUTOPROF_DRIVER(cuMemcpyHtoDAsync, To, Mine.Host, Size, Stream);
  if (Result == CUDA_SUCCESS) {
    AUTOPROF_DRIVER(cuEventRecord, Mine.Done, Stream);
    Mine.Used = Size;
    countChanged();
  }
  return Result;
}

Changed changeFree(CUdeviceptr Memory) {
  const std::optional<Place> Here = placeHere();
  CUdeviceptr Base = 0;
  size_t Size = 0;
  if (!Here || AUTOPROF_DRIVER(cuMemGetAddressRange, &Base, &Size, Memory) !=
                   CUDA_SUCCESS)
    return std::nullopt;
  KeptMemory &K = kept();
  std::lock_guard<std::mutex> Lock(K.M);
  K.Free[{presentContext(), Size}].push_back(Memory);
  countChanged();
  return CUDA_SUCCESS;
}

Changed reuse(CUdeviceptr *Memory, size_t Size) {
  unsigned Turn;
  if (!isChanging(Turn)) {
    freeKept(); // The program is as it was.
    return std::nullopt;
  }
  KeptMemory &K = kept();
  std::lock_guard<std::mutex> Lock(K.M);
  auto Same = K.Free.find({presentContext(), Size});
  if (Same == K.Free.end() || Same->second.empty())
    return std::nullopt;
  *Memory = Same->second.back();
  Same->second.pop_back();
  return CUDA_SUCCESS;
}

bool freeKept() {
  KeptMemory &K = kept();
  std::lock_guard<std::mutex> Lock(K.M);
  bool IsFreed = false;
  for (const auto &[Kind, List] : K.Free)
    for (CUdeviceptr Memory : List)
      IsFreed |= AUTOPROF_DRIVER(cuMemFree, Memory) == CUDA_SUCCESS;
  K.Free.clear();
  return IsFreed;
}

void setPool() {
  struct Seen {
    unsigned Turn;
    cuuint64_t Own; ///< The program's threshold, when it was first seen.
  };
  static std::mutex M;
  static auto &Pools = *new std::map<CUmemoryPool, Seen>;
  constexpr auto Attribute = CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
  CUdevice Device = 0;
  CUmemoryPool Pool = nullptr;
  if (AUTOPROF_DRIVER(cuCtxGetDevice, &Device) != CUDA_SUCCESS ||
      AUTOPROF_DRIVER(cuDeviceGetDefaultMemPool, &Pool, Device) != CUDA_SUCCESS)
    return;
  unsigned Turn;
  cuuint64_t Threshold = ~cuuint64_t(0);
  const bool IsRaised = isChanging(Turn);
  std::lock_guard<std::mutex> Lock(M);
  auto [It, IsNew] = Pools.try_emplace(Pool, Seen{0, 0});
  if (IsNew)
    AUTOPROF_DRIVER(cuMemPoolGetAttribute, Pool, Attribute, &It->second.Own);
  if (!IsRaised)
    Threshold = It->second.Own;
  if (It->second.Turn != Turn)
    AUTOPROF_DRIVER(cuMemPoolSetAttribute, Pool, Attribute, &Threshold);
  It->second.Turn = Turn;
}

} // namespace autoprof::runtime
