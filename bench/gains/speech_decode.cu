// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decodes speech: the GPU scores the sounds of a frame, and the host searches
// for the best path to each state, which takes longer. Before: the GPU is one
// frame ahead, and the host waits for it after the search. After: it is three
// frames ahead, with an event per frame. There is nothing to gain.
#include "gains.h"

#include <algorithm>

namespace {

constexpr int kStates = 4096;
constexpr int kArcs = 64; // To each state.
constexpr int kFeatures = 64;
constexpr int kFrames = 256;
constexpr int kRing = 4;

// One warp per state: the distance of a frame to the state's mean.
__global__ void score(const float *frame, const float *means, float *scores) {
  int state = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  float sum = 0.0F;
  for (int i = lane; i < kFeatures; i += 32) {
    float difference = frame[i] - means[state * kFeatures + i];
    sum += difference * difference;
  }
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffffU, sum, distance);
  if (lane == 0)
    scores[state] = -sum;
}

/// The Viterbi algorithm.
class Search {
public:
  Search() : sources_(kStates * kArcs), costs_(kStates * kArcs) {
    for (int i = 0; i < kStates * kArcs; ++i) {
      sources_[i] = static_cast<int>(scramble(i) % kStates);
      costs_[i] = uniform(i + 12345);
    }
  }

  /// Returns the number of the best state, and adds how likely it is.
  double advance(const float *scores) {
    for (int state = 0; state < kStates; ++state) {
      const int *sources = sources_.data() + state * kArcs;
      const float *costs = costs_.data() + state * kArcs;
      float best = paths_[sources[0]] - costs[0];
      for (int arc = 1; arc < kArcs; ++arc)
        best = std::max(best, paths_[sources[arc]] - costs[arc]);
      next_[state] = best + scores[state];
    }
    auto best = std::max_element(next_.begin(), next_.end());
    double result = static_cast<double>(best - next_.begin()) + *best;
    float most = *best;
    for (int state = 0; state < kStates; ++state)
      paths_[state] = next_[state] - most;
    return result;
  }

private:
  std::vector<int> sources_;
  std::vector<float> costs_;
  std::vector<float> paths_ = std::vector<float>(kStates);
  std::vector<float> next_ = std::vector<float>(kStates);
};

struct Slot {
  PinnedArray<float> scores{kStates};
  Event arrived;
};

} // namespace

Outcome speech_decode(bool before, int steps) {
  DeviceArray<float> frames(uniform_values(kFrames * kFeatures, 1));
  DeviceArray<float> means(uniform_values(kStates * kFeatures, 1 << 20));
  DeviceArray<float> scores(kStates);
  Slot slots[kRing];
  Search search;
  auto start = [&](int frame) {
    Slot &slot = slots[frame % kRing];
    score<<<kStates / 8, 256>>>(frames + frame % kFrames * kFeatures, means,
                                scores);
    CUDA_CHECK(cudaMemcpyAsync(slot.scores, scores, kStates * sizeof(float),
                               cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaEventRecord(slot.arrived));
  };
  const int ahead = before ? 1 : kRing - 1;
  double sum = 0.0;
  for (int frame = 0; frame < ahead; ++frame)
    start(frame);
  CUDA_CHECK(cudaDeviceSynchronize());
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    start(step + ahead);
    if (!before)
      CUDA_CHECK(cudaEventSynchronize(slots[step % kRing].arrived));
    sum += search.advance(slots[step % kRing].scores);
    if (before)
      CUDA_CHECK(cudaDeviceSynchronize());
  }
  double step_ns = clock.step_ns();
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, sum / clock.count()};
}
