// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forms beams from the channels of a microphone array, and finds the loudest.
// Before: cudaMemcpyAsync copies from and to pageable memory, so it waits, and
// the host then waits for the stream. After: the same buffers are pinned.
#include "gains.h"

#include <cstring>

namespace {

constexpr int kChannels = 64;
constexpr int kBlock = 4096; // Samples of each channel in a step.
constexpr int kHistory = 128;
constexpr int kLength = kBlock + kHistory;
constexpr int kSamples = kChannels * kLength;
constexpr int kBeams = 64;
constexpr int kOutputs = kBeams * kBlock;

// Adds up the channels, delayed by the time that sound from the beam's
// direction needs from the first microphone to theirs.
__global__ void form(const short *samples, float *beams) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int beam = i / kBlock, time = i % kBlock;
  float sum = 0.0F;
  for (int channel = 0; channel < kChannels; ++channel) {
    int delay = channel * beam * (kHistory - 1) / (kChannels * kBeams);
    sum += samples[channel * kLength + kHistory + time - delay];
  }
  beams[i] = sum * (1.0F / kChannels);
}

__global__ void smooth(const float *beams, float *smoothed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int time = i % kBlock;
  float sum = 0.0F, weight = 0.0F;
  for (int tap = 0; tap < 32 && tap <= time; ++tap) {
    float factor = __expf(-0.1F * tap);
    sum += factor * beams[i - tap];
    weight += factor;
  }
  smoothed[i] = sum / weight;
}

/// Stands for the driver of the array, which has a block per step.
void receive(const std::vector<short> &recording, int step, short *samples) {
  std::memcpy(samples, recording.data() + step % 64 * kBlock / 4,
              kSamples * sizeof(short));
}

/// Returns the number of the loudest beam and its loudness.
double loudest(const float *beams) {
  int best = 0;
  double most = -1.0;
  for (int beam = 0; beam < kBeams; ++beam) {
    double loudness = 0.0;
    for (int time = 0; time < kBlock; time += 16)
      loudness += beams[beam * kBlock + time] * beams[beam * kBlock + time];
    if (loudness > most) {
      most = loudness;
      best = beam;
    }
  }
  return best + most * 16 / kBlock;
}

} // namespace

Outcome beam_forming(bool before, int steps) {
  std::vector<short> recording(kSamples + 64 * kBlock / 4);
  for (std::size_t i = 0; i < recording.size(); ++i)
    recording[i] = static_cast<short>(scramble(i / 24) % 2001) - 1000;
  std::vector<short> pageable_samples(kSamples);
  std::vector<float> pageable_beams(kOutputs);
  PinnedArray<short> pinned_samples(kSamples);
  PinnedArray<float> pinned_beams(kOutputs);
  short *received = before ? pageable_samples.data() : pinned_samples;
  float *results = before ? pageable_beams.data() : pinned_beams;
  DeviceArray<short> samples(kSamples);
  DeviceArray<float> beams(kOutputs), smoothed(kOutputs);
  Stream stream;
  double sum = 0.0;
  StepClock clock(steps, stream);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    receive(recording, step, received);
    CUDA_CHECK(cudaMemcpyAsync(samples, received, kSamples * sizeof(short),
                               cudaMemcpyHostToDevice, stream));
    form<<<kOutputs / 256, 256, 0, stream>>>(samples, beams);
    smooth<<<kOutputs / 256, 256, 0, stream>>>(beams, smoothed);
    CUDA_CHECK(cudaMemcpyAsync(results, smoothed, kOutputs * sizeof(float),
                               cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    sum += loudest(results);
  }
  double step_ns = clock.step_ns();
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, sum / clock.count()};
}
