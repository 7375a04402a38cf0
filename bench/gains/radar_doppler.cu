// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The echoes of a radar: one stream compresses the pulses of a burst, another
// finds the speeds of targets. Before: the host waits for each stream before it
// hands the echoes to the other. After: events order the streams, which work on
// two bursts at a time.
#include "gains.h"

namespace {

constexpr int kRange = 4096; // Samples per pulse.
constexpr int kPulses = 64;  // Per burst.
constexpr int kSamples = kRange * kPulses;
constexpr int kChirp = 96; // Samples of a transmitted pulse.
constexpr int kGuard = 4, kNear = 16;

__device__ float2 times(float2 a, float2 b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

__device__ float2 chirp_at(int i) {
  float phase = 0.004F * i * i;
  return {__cosf(phase), __sinf(phase)};
}

// Stands for the receiver: noise, and three targets.
__global__ void receive(float2 *echoes, unsigned burst) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int pulse = i / kRange, sample = i % kRange;
  unsigned counter = 2 * (burst * kSamples + i);
  float2 echo = {uniform(counter) - 0.5F, uniform(counter + 1) - 0.5F};
  for (int target = 0; target < 3; ++target) {
    int delay = sample - 700 * (target + 1) - static_cast<int>(burst % 512);
    if (delay < 0 || delay >= kChirp)
      continue;
    float turn = 0.4F * (target + 1) * pulse;
    float2 part = times(chirp_at(delay), {__cosf(turn), __sinf(turn)});
    echo.x += 0.2F * part.x;
    echo.y += 0.2F * part.y;
  }
  echoes[i] = echo;
}

// The matched filter.
__global__ void compress(const float2 *echoes, float2 *ranges) {
  __shared__ float2 chirp[kChirp];
  if (threadIdx.x < kChirp)
    chirp[threadIdx.x] = chirp_at(threadIdx.x);
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int left = min(kChirp, kRange - i % kRange);
  float2 sum = {};
  for (int j = 0; j < left; ++j) {
    float2 part = times(echoes[i + j], {chirp[j].x, -chirp[j].y});
    sum.x += part.x;
    sum.y += part.y;
  }
  ranges[i] = sum;
}

// The Fourier transform over the pulses, one thread per speed and range.
__global__ void find_speeds(const float2 *ranges, float *powers) {
  __shared__ float2 turns[kPulses];
  if (threadIdx.x < kPulses) {
    float angle = -6.28318531F / kPulses * threadIdx.x;
    turns[threadIdx.x] = {__cosf(angle), __sinf(angle)};
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int speed = i / kRange, range = i % kRange;
  float2 sum = {};
  for (int pulse = 0; pulse < kPulses; ++pulse) {
    float2 part =
        times(ranges[pulse * kRange + range], turns[pulse * speed % kPulses]);
    sum.x += part.x;
    sum.y += part.y;
  }
  powers[i] = sum.x * sum.x + sum.y * sum.y;
}

// A target is much stronger than the ranges around it.
__global__ void detect(const float *powers, unsigned *detections) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int range = i % kRange;
  float around = 0.0F;
  for (int d = kGuard + 1; d <= kGuard + kNear; ++d)
    around +=
        powers[range >= d ? i - d : i] + powers[range + d < kRange ? i + d : i];
  if (powers[i] > 12.0F / (2 * kNear) * around)
    atomicAdd(&detections[i / kRange], 1U);
}

/// A burst between the streams.
struct Slot {
  DeviceArray<float2> ranges{kSamples};
  Event compressed, used;
};

} // namespace

Outcome radar_doppler(bool before, int steps) {
  constexpr int kBlocks = kSamples / 256;
  DeviceArray<float2> echoes(kSamples);
  DeviceArray<float> powers(kSamples);
  DeviceArray<unsigned> detections(kPulses);
  Slot slots[2];
  Stream receiver, detector;
  StepClock clock(steps, detector);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    Slot &slot = slots[before ? 0 : step % 2];
    if (!before)
      CUDA_CHECK(cudaStreamWaitEvent(receiver, slot.used));
    receive<<<kBlocks, 256, 0, receiver>>>(echoes, step);
    compress<<<kBlocks, 256, 0, receiver>>>(echoes, slot.ranges);
    if (before) {
      CUDA_CHECK(cudaStreamSynchronize(receiver));
    } else {
      CUDA_CHECK(cudaEventRecord(slot.compressed, receiver));
      CUDA_CHECK(cudaStreamWaitEvent(detector, slot.compressed));
    }
    find_speeds<<<kBlocks, 256, 0, detector>>>(slot.ranges, powers);
    detect<<<kBlocks, 256, 0, detector>>>(powers, detections);
    if (before)
      CUDA_CHECK(cudaStreamSynchronize(detector));
    else
      CUDA_CHECK(cudaEventRecord(slot.used, detector));
  }
  double step_ns = clock.step_ns(), sum = 0.0;
  std::vector<unsigned> read(kPulses);
  CUDA_CHECK(cudaMemcpy(read.data(), detections, kPulses * sizeof(unsigned),
                        cudaMemcpyDeviceToHost));
  for (int speed = 0; speed < kPulses; ++speed)
    sum += static_cast<double>(read[speed]) * (1 + speed);
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, sum / clock.count()};
}
