// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs in the processes that RecorderCosts.cpp and MachineConstants.cpp
// start. The costs of launches and waits are measured here; copies and pauses
// are only exercised, because they are recorded like those of other programs,
// so that the measurements are comparable with those in reports.
#include "cli/recorder/Gpu.h"
#include "cli/recorder/MachineConstants.h"
#include "cli/recorder/RecorderCosts.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>

using namespace autoprof;
using namespace autoprof::cli;

namespace {

/// Median time of one of many calls, ns; 0: one failed. The stream is empty at
/// the beginning of each batch, so that its queue never fills up.
uint64_t medianCost(const Gpu &G, llvm::function_ref<CUresult()> Call) {
  constexpr size_t Batches = 100, CallsInBatch = 20;
  using Clock = std::chrono::steady_clock;
  std::array<uint64_t, Batches> Times;
  for (uint64_t &Time : Times) {
    const Clock::time_point Begin = Clock::now();
    for (size_t I = 0; I < CallsInBatch; ++I)
      if (Call() != CUDA_SUCCESS)
        return 0;
    Time = uint64_t(std::chrono::nanoseconds(Clock::now() - Begin).count());
    if (CALL(cuStreamSynchronize)(G.Stream) != CUDA_SUCCESS)
      return 0;
  }
  std::nth_element(Times.begin(), Times.begin() + Batches / 2, Times.end());
  return Times[Batches / 2] / CallsInBatch;
}

constexpr size_t KiB = 1024, MiB = 1024 * KiB;
constexpr size_t Sizes[] = {4 * KiB, 64 * KiB, 256 * KiB, MiB,
                            4 * MiB, 16 * MiB, 64 * MiB};
/// Rounds over all sizes, so that a disturbance does not affect all copies of a
/// size; and copies of a size in a round.
constexpr unsigned Rounds = 5, Repeats = 3;
/// Operations in a row; far fewer than a stream takes.
constexpr unsigned Queued = 64;

void copyBothWays(CUdeviceptr OnGpu, void *Host, size_t Bytes) {
  for (unsigned I = 0; I < Repeats; ++I)
    CALL(cuMemcpyHtoD)(OnGpu, Host, Bytes);
  for (unsigned I = 0; I < Repeats; ++I)
    CALL(cuMemcpyDtoH)(Host, OnGpu, Bytes);
}

/// `Queue` is called this often while the stream is held up.
void queueInRow(const Gpu &G, llvm::function_ref<void()> Queue) {
  int64_t HeldUpNs = 3'000'000; // Longer than it takes to queue them.
  void *Arguments[] = {&HeldUpNs};
  CALL(cuLaunchKernel)(G.Waits, 1, 1, 1, 1, 1, 1, 0, G.Stream, Arguments,
                       nullptr);
  for (unsigned I = 0; I < Queued; ++I)
    Queue();
  CALL(cuStreamSynchronize)(G.Stream);
}

void exercise(const Gpu &G) {
  const size_t Largest = std::end(Sizes)[-1];
  CUdeviceptr OnGpu = 0;
  void *Pinned = nullptr;
  void *const Pageable = std::aligned_alloc(4096, Largest);
  std::memset(Pageable, 0, Largest); // The pages are there.
  CALL(cuMemAllocHost)(&Pinned, Largest);
  CALL(cuMemAlloc)(&OnGpu, Largest);
  // Allocations at the first use must not be measured.
  for (void *Host : {Pageable, Pinned})
    copyBothWays(OnGpu, Host, Largest);
  for (unsigned Round = 0; Round < Rounds; ++Round)
    for (size_t Bytes : Sizes)
      for (void *Host : {Pageable, Pinned})
        copyBothWays(OnGpu, Host, Bytes);
  queueInRow(G, [&] { G.launchEmpty(); });
  queueInRow(G, [&] {
    G.launchEmpty();
    CALL(cuMemcpyHtoDAsync)(OnGpu, Pinned, 4 * KiB, G.Stream);
    G.launchEmpty();
    CALL(cuMemcpyDtoHAsync)(Pinned, OnGpu, 4 * KiB, G.Stream);
  });
}

/// The sentence is for the process that started this one.
int failed(llvm::raw_ostream &Out, llvm::Error E) {
  Out << llvm::toString(std::move(E));
  return 2;
}

} // namespace

int cli::measureLaunches(llvm::raw_ostream &Out) {
  Gpu G;
  if (llvm::Error E = G.open(0))
    return failed(Out, std::move(E));
  const uint64_t Launch = medianCost(G, [&] { return G.launchEmpty(); });
  const uint64_t Wait =
      medianCost(G, [&] { return CALL(cuStreamSynchronize)(G.Stream); });
  if (llvm::Error E = firstFailure())
    return failed(Out, std::move(E));
  Out << Launch << ',' << Wait << '\n';
  return 0;
}

int cli::exerciseMachine(int Device, llvm::raw_ostream &Out) {
  Gpu G;
  if (llvm::Error E = G.open(Device))
    return failed(Out, std::move(E));
  exercise(G);
  if (llvm::Error E = firstFailure())
    return failed(Out, std::move(E));
  Out << G.Cuda << ' ' << G.Count << '\n';
  return 0;
}
