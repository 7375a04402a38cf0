// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of a launch in this process. Two processes of one program may differ
// in it by a quarter throughout their lives, and a step that is limited by the
// CPU differs with it (docs/compare.md, "What makes runs differ").
#include "runtime/cupti/Driver.h"

#include "runtime/support/Clock.h"

#include <algorithm>
#include <array>
#include <cuda.h>

namespace autoprof::runtime {

namespace {

constexpr size_t CallsInBatch = 20;
/// The first batch warms up; fewer than LeastBatches give no result.
constexpr size_t MostBatches = 200, LeastBatches = 8;
constexpr uint64_t BudgetNs = 3'000'000;
/// Another process may take the CPU meanwhile, and comparing runs needs the
/// cost of each of them: until there are LeastBatches, this is the budget.
constexpr uint64_t PreemptedBudgetNs = 100'000'000;

/// Functions of the driver. For each function with a second version cuda.h has
/// a macro, so that decltype finds that version's type, but the string is not
/// replaced.
struct DriverCalls {
  decltype(&cuThreadExchangeStreamCaptureMode) ExchangeCaptureMode = nullptr;
  decltype(&cuStreamCreate) CreateStream = nullptr;
  decltype(&cuStreamSynchronize) Synchronize = nullptr;
  decltype(&cuStreamDestroy) DestroyStream = nullptr;
  decltype(&cuMemAlloc) Allocate = nullptr;
  decltype(&cuMemsetD32Async) Set = nullptr;
  decltype(&cuMemFree) Free = nullptr;

  /// Returns false if this driver lacks one of them.
  bool load() {
    return find("cuThreadExchangeStreamCaptureMode", ExchangeCaptureMode) &&
           find("cuStreamCreate", CreateStream) &&
           find("cuStreamSynchronize", Synchronize) &&
           find("cuStreamDestroy_v2", DestroyStream) &&
           find("cuMemAlloc_v2", Allocate) && find("cuMemsetD32Async", Set) &&
           find("cuMemFree_v2", Free);
  }

private:
  template <typename Function>
  static bool find(const char *Name, Function &Result) {
    Result = reinterpret_cast<Function>(driverSymbol(Name));
    return Result != nullptr;
  }
};

/// Median CPU time of one call, ns; 0: not known. The stream is empty at the
/// beginning of each batch, so that its queue never fills up.
uint64_t medianCost(const DriverCalls &Driver, CUstream Stream,
                    CUdeviceptr Memory) {
  std::array<uint64_t, MostBatches> Times;
  size_t Count = 0;
  const uint64_t Start = now();
  while (Count < MostBatches &&
         now() - Start <
             (Count < LeastBatches ? PreemptedBudgetNs : BudgetNs)) {
    const uint64_t Begin = now();
    for (size_t I = 0; I < CallsInBatch; ++I)
      if (Driver.Set(Memory, 0, 1, Stream) != CUDA_SUCCESS)
        return 0;
    Times[Count++] = now() - Begin;
    if (Driver.Synchronize(Stream) != CUDA_SUCCESS)
      return 0;
  }
  if (Count < LeastBatches)
    return 0;
  auto *First = Times.begin() + 1, *Last = Times.begin() + Count,
       *Middle = First + (Last - First) / 2;
  std::nth_element(First, Middle, Last);
  return *Middle / CallsInBatch;
}

uint64_t measureOn(const DriverCalls &Driver, CUstream Stream) {
  CUdeviceptr Memory = 0;
  if (Driver.Allocate(&Memory, sizeof(uint32_t)) != CUDA_SUCCESS)
    return 0;
  const uint64_t Cost = medianCost(Driver, Stream, Memory);
  Driver.Free(Memory);
  return Cost;
}

} // namespace

uint64_t measureLaunchCost() {
  DriverCalls Driver;
  if (!Driver.load())
    return 0;
  // Without this, allocating memory would invalidate another thread's capture
  // in strict mode.
  CUstreamCaptureMode Mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  if (Driver.ExchangeCaptureMode(&Mode) != CUDA_SUCCESS)
    return 0;
  uint64_t Cost = 0;
  CUstream Stream = nullptr;
  if (Driver.CreateStream(&Stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS) {
    Cost = measureOn(Driver, Stream);
    Driver.DestroyStream(Stream);
  }
  Driver.ExchangeCaptureMode(&Mode);
  return Cost;
}

} // namespace autoprof::runtime
