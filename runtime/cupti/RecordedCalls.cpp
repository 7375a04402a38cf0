// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cupti/RecordedCalls.h"

#include "runtime/cupti/WaitingCalls.h"

#include <algorithm>
#include <iterator>

namespace autoprof::runtime {

// Runtime calls that neither wait nor start work, and that libraries make so
// often that recording them would cost more than everything else.
static constexpr const char *NoiseCalls[] = {
    "cudaGetDevice",
    "cudaGetLastError",
    "cudaPeekAtLastError",
    "cudaGetErrorString",
    "cudaGetErrorName",
    "cudaDeviceGetAttribute",
    "cudaFuncGetAttributes",
    "cudaPointerGetAttributes",
    "cudaStreamIsCapturing",
    "cudaStreamGetCaptureInfo",
    "cudaGetDeviceCount",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
    "__cudaPushCallConfiguration",
    "__cudaPopCallConfiguration",
    "__cudaGetKernel"};

// Driver calls that libraries make directly, without the runtime, by prefix.
static constexpr const char *DriverCalls[] = {
    "cuLaunch",           "cuGraphLaunch",       "cuMemcpy",
    "cuMemset",           "cuStreamSynchronize", "cuCtxSynchronize",
    "cuEventSynchronize", "cuMemAlloc",          "cuMemFree",
    "cuMemHostAlloc",     "cuModuleLoad",        "cuModuleUnload",
    "cuLibraryLoad"};

const RecordedCalls &recordedCalls(const CuptiLibrary &Library) {
  static const auto *All = [&Library] {
    auto *R = new RecordedCalls;
    forEachFunction(Library, CUPTI_CB_DOMAIN_RUNTIME_API,
                    [R](uint32_t Id, const std::string &Name) {
                      const bool IsNoise =
                          std::find(std::begin(NoiseCalls),
                                    std::end(NoiseCalls),
                                    Name) != std::end(NoiseCalls);
                      (IsNoise ? R->Noise : R->Runtime).push_back(Id);
                    });
    forEachFunction(Library, CUPTI_CB_DOMAIN_DRIVER_API,
                    [R](uint32_t Id, const std::string &Name) {
                      const bool IsRecorded = std::any_of(
                          std::begin(DriverCalls), std::end(DriverCalls),
                          [&Name](const char *Prefix) {
                            return Name.rfind(Prefix, 0) == 0;
                          });
                      (IsRecorded ? R->Driver : R->OtherDriver).push_back(Id);
                    });
    return R;
  }();
  return *All;
}

// Enabling the kind RUNTIME would slow down even the calls that are not
// recorded, and PyTorch makes hundreds of them per step (docs/performance.md).
static CUptiResult recordEachRuntimeCall(const CuptiLibrary &Library,
                                         bool Recording) {
  CUptiResult Worst = CUPTI_SUCCESS;
  for (uint32_t Id : recordedCalls(Library).Runtime) {
    CUptiResult Result = Library.cuptiActivityEnableRuntimeApi(Id, Recording);
    if (Result != CUPTI_SUCCESS)
      Worst = Result;
  }
  return Worst;
}

static CUptiResult recordKinds(const CuptiLibrary &Library, bool Recording) {
  if (!Recording) {
    Library.cuptiActivityDisable(CUPTI_ACTIVITY_KIND_DRIVER);
    return Library.cuptiActivityDisable(CUPTI_ACTIVITY_KIND_RUNTIME);
  }
  CUptiResult Result = Library.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_RUNTIME);
  if (Library.cuptiActivityEnableRuntimeApi)
    for (uint32_t Id : recordedCalls(Library).Noise)
      Library.cuptiActivityEnableRuntimeApi(Id, 0);
  if (!Library.cuptiActivityEnableDriverApi)
    return Result;
  Library.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_DRIVER);
  for (uint32_t Id : recordedCalls(Library).OtherDriver)
    Library.cuptiActivityEnableDriverApi(Id, 0);
  return Result;
}

CUptiResult recordCalls(const CuptiLibrary &Library, CallChoice Choice,
                        bool Recording) {
  if (Choice == CallChoice::Kind || !Library.cuptiActivityEnableRuntimeApi)
    return recordKinds(Library, Recording);
  CUptiResult Result = recordEachRuntimeCall(Library, Recording);
  if (Library.cuptiActivityEnableDriverApi)
    for (uint32_t Id : recordedCalls(Library).Driver)
      Library.cuptiActivityEnableDriverApi(Id, Recording);
  return Result;
}

} // namespace autoprof::runtime
