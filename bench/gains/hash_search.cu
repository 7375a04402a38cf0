// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches numbers whose hash begins with zeros. Two threads have a stream each
// and share the range. Before: a thread waits for a batch before it launches
// its next one. After: it has two batches in flight. There is nothing to gain,
// because the batches of the other thread keep the GPU busy.
#include "gains.h"

#include <algorithm>
#include <thread>

namespace {

constexpr int kThreads = 1 << 20; // Of a batch on the GPU.
constexpr int kPerThread = 4;
constexpr int kRounds = 80;
constexpr int kZeros = 18; // Bits.

/// What was found in a batch.
struct Found {
  unsigned count, least;
};

__device__ uint2 hash(uint2 state) {
  for (unsigned round = 0; round < kRounds; ++round) {
    state.x = __funnelshift_l(state.x, state.x, 7) + (state.y ^ round);
    state.y = (__funnelshift_l(state.y, state.y, 19) ^ state.x) * 0x85EBCA6BU;
  }
  return state;
}

__global__ void search(unsigned batch, Found *found) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = 0; i < kPerThread; ++i) {
    uint2 state = hash({i * kThreads + thread, batch});
    if (state.y >> (32 - kZeros) != 0)
      continue;
    atomicAdd(&found->count, 1U);
    atomicMin(&found->least, state.x);
  }
}

struct Slot {
  DeviceArray<Found> on_gpu{1};
  PinnedArray<Found> found{1};
  Event arrived;
};

/// Searches every second batch.
class Searcher {
public:
  void start(int step, unsigned batch) {
    Slot &slot = slots_[step % 2];
    CUDA_CHECK(cudaMemsetAsync(slot.on_gpu, 0, sizeof(unsigned), stream_));
    CUDA_CHECK(cudaMemsetAsync(&slot.on_gpu[0].least, 0xff, sizeof(unsigned),
                               stream_));
    search<<<kThreads / 256, 256, 0, stream_>>>(batch, slot.on_gpu);
    CUDA_CHECK(cudaMemcpyAsync(slot.found, slot.on_gpu, sizeof(Found),
                               cudaMemcpyDeviceToHost, stream_));
    CUDA_CHECK(cudaEventRecord(slot.arrived, stream_));
  }

  void finish(int step) {
    Slot &slot = slots_[step % 2];
    CUDA_CHECK(cudaEventSynchronize(slot.arrived));
    count_ += slot.found[0].count;
    least_ = std::min(least_, slot.found[0].least);
  }

  void run(bool before, unsigned offset, StepClock &clock, bool timed) {
    for (int step = 0; step < clock.count(); ++step) {
      if (timed)
        clock.begin(step);
      start(step, 2 * step + offset);
      if (before)
        finish(step);
      else if (step > 0)
        finish(step - 1);
    }
    if (!before)
      finish(clock.count() - 1);
  }

  cudaStream_t stream() const { return stream_; }
  double result() const { return count_ + least_ / 4294967296.0; }

private:
  Slot slots_[2];
  Stream stream_;
  unsigned least_ = ~0U;
  double count_ = 0.0;
};

} // namespace

Outcome hash_search(bool before, int steps) {
  Searcher even, odd;
  StepClock clock(steps, even.stream());
  std::thread other([&] { odd.run(before, 1, clock, false); });
  even.run(before, 0, clock, true);
  other.join();
  double step_ns = clock.step_ns();
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, (even.result() + odd.result()) / clock.count()};
}
