// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calibrate/Machine.h"

#include "calibrate/Bench.h"
#include "calibrate/Case.h"

#include <cuda_runtime_api.h>

using namespace autoprof;
using namespace autoprof::calibrate;

namespace {

constexpr size_t Sizes[] = {4 * KiB, 64 * KiB, 256 * KiB, MiB,
                            4 * MiB, 16 * MiB, 64 * MiB};
/// Rounds over all sizes, so that a disturbance does not affect all copies of a
/// size; and copies of a size in a round.
constexpr unsigned Rounds = 5, Repeats = 3;
/// Operations in a row; far fewer than a stream takes.
constexpr unsigned Queued = 64;
/// Longer than it takes to queue them.
constexpr int64_t HeldUpNs = 3'000'000;

CUdeviceptr onDevice(Bench &B) {
  return reinterpret_cast<CUdeviceptr>(B.buffer(Bench::Memory::Device));
}

void copyBothWays(Bench &B, Bench::Memory Host, size_t Bytes) {
  void *Pointer = B.buffer(Host);
  for (unsigned I = 0; I < Repeats; ++I)
    CALL(cuMemcpyHtoD)(onDevice(B), Pointer, Bytes);
  for (unsigned I = 0; I < Repeats; ++I)
    CALL(cuMemcpyDtoH)(Pointer, onDevice(B), Bytes);
}

void launch(Bench &B) {
  CALL(cuLaunchKernel)(B.Empty, 1, 1, 1, 1, 1, 1, 0, B.OwnStream, nullptr,
                       nullptr);
}

/// `Queue` is called this often while the stream is held up.
void queueInRow(Bench &B, llvm::function_ref<void()> Queue) {
  B.spin(B.OwnStream, HeldUpNs);
  for (unsigned I = 0; I < Queued; ++I)
    Queue();
  CALL(cuStreamSynchronize)(B.OwnStream);
}

void exercise(Bench &B) {
  using M = Bench::Memory;
  // Allocations at the first use must not be measured.
  for (M Host : {M::Pageable, M::Pinned})
    copyBothWays(B, Host, 64 * MiB);
  for (unsigned Round = 0; Round < Rounds; ++Round)
    for (size_t Bytes : Sizes)
      for (M Host : {M::Pageable, M::Pinned})
        copyBothWays(B, Host, Bytes);
  void *Pinned = B.buffer(M::Pinned);
  CUevent Event = nullptr;
  CALL(cuEventCreate)(&Event, CU_EVENT_DEFAULT);
  queueInRow(B, [&] { launch(B); });
  // The recorder notes the runtime's call, not the driver's.
  if (B.RuntimeMajor)
    queueInRow(B, [&] {
      launch(B);
      CALL(cudaEventRecord)(Event, B.OwnStream);
    });
  queueInRow(B, [&] {
    launch(B);
    CALL(cuMemcpyHtoDAsync)(onDevice(B), Pinned, 4 * KiB, B.OwnStream);
    launch(B);
    CALL(cuMemcpyDtoHAsync)(Pinned, onDevice(B), 4 * KiB, B.OwnStream);
  });
  CALL(cuEventDestroy)(Event);
}

} // namespace

llvm::Error calibrate::exerciseMachine(int Device) {
  Bench B;
  if (llvm::Error E = B.open(Device))
    return E;
  exercise(B);
  if (!failure().empty())
    return llvm::createStringError(failure());
  return llvm::Error::success();
}
