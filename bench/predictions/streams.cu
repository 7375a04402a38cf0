// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several streams, and several threads.
#include "grid.h"

#include <atomic>
#include <thread>

namespace {

constexpr int kBlocks = 32; // Of 132 or more multiprocessors.

struct Stream {
  cudaStream_t handle = nullptr;
  cudaEvent_t done[2] = {};
  float2 *oscillators[2] = {};

  Stream() {
    CUDA_CHECK(cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking));
    for (int i = 0; i < 2; ++i) {
      CUDA_CHECK(cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming));
      oscillators[i] = make_oscillators(kBlocks);
    }
  }
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;
  ~Stream() {
    for (int i = 0; i < 2; ++i) {
      cudaFree(oscillators[i]);
      cudaEventDestroy(done[i]);
    }
    cudaStreamDestroy(handle);
  }
};

} // namespace

// One stream produces what another uses, in two buffers. Before: the host waits
// for the first stream. After: the second stream waits.
double hand_over(bool before, int steps) {
  Stream makes, uses;
  StepClock clock(steps, uses.handle);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    int slot = step % 2;
    float2 *buffer = makes.oscillators[slot];
    // Used two steps ago; an event never recorded does not wait.
    CUDA_CHECK(cudaStreamWaitEvent(makes.handle, uses.done[slot], 0));
    for (int i = 0; i < 4; ++i)
      integrate(buffer, kBlocks, 2000, makes.handle);
    if (before) {
      CUDA_CHECK(cudaStreamSynchronize(makes.handle));
    } else {
      CUDA_CHECK(cudaEventRecord(makes.done[slot], makes.handle));
      CUDA_CHECK(cudaStreamWaitEvent(uses.handle, makes.done[slot], 0));
    }
    for (int i = 0; i < 4; ++i)
      integrate(buffer, kBlocks, 2000, uses.handle);
    CUDA_CHECK(cudaEventRecord(uses.done[slot], uses.handle));
  }
  return clock.step_ns();
}

// One stream has work whose result nobody needs yet. Before: the host waits for
// the device, and then computes. After: it waits for the other stream.
double side_work(bool before, int steps) {
  Stream side, needed;
  StepClock clock(steps, side.handle);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    integrate(side.oscillators[0], kBlocks, 20000, side.handle);
    integrate(needed.oscillators[0], kBlocks, 5000, needed.handle);
    CUDA_CHECK(before ? cudaDeviceSynchronize()
                      : cudaStreamSynchronize(needed.handle));
    const auto until =
        std::chrono::steady_clock::now() + std::chrono::microseconds(60);
    while (std::chrono::steady_clock::now() < until) {
    }
  }
  return clock.step_ns();
}

// One stream has much to do. Before: the host waits for another stream that has
// little to do. After: it does not wait. There is nothing to gain.
double busy_behind(bool before, int steps) {
  Stream busy, light;
  StepClock clock(steps, busy.handle);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    integrate(busy.oscillators[0], kBlocks, 30000, busy.handle);
    for (int i = 0; i < 2; ++i)
      integrate(light.oscillators[0], kBlocks, 2000, light.handle);
    if (before)
      CUDA_CHECK(cudaStreamSynchronize(light.handle));
  }
  return clock.step_ns();
}

namespace {

void step_of_own_work(Stream &mine, bool waits) {
  for (int i = 0; i < 6; ++i)
    integrate(mine.oscillators[0], kBlocks, 2000, mine.handle);
  if (waits)
    CUDA_CHECK(cudaStreamSynchronize(mine.handle));
}

/// Keeps the stream busy, at most two steps ahead.
void work_until(const std::atomic<bool> &stop, Stream &other) {
  for (int step = 0; !stop.load(); ++step) {
    CUDA_CHECK(cudaEventSynchronize(other.done[step % 2]));
    for (int i = 0; i < 4; ++i)
      integrate(other.oscillators[0], kBlocks, 3000, other.handle);
    CUDA_CHECK(cudaEventRecord(other.done[step % 2], other.handle));
  }
}

} // namespace

// Two threads launch work, each on its own stream. Before: one of them waits in
// each step. After: it does not wait.
double two_threads(bool before, int steps) {
  Stream mine, other;
  std::atomic<bool> stop{false};
  std::thread neighbour([&] { work_until(stop, other); });
  StepClock clock(steps, mine.handle);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    step_of_own_work(mine, before);
  }
  double result = clock.step_ns();
  stop = true;
  neighbour.join();
  CUDA_CHECK(cudaStreamSynchronize(other.handle));
  return result;
}
