// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds edges in the frames of a video. Before: each frame is uploaded from
// pageable memory, and its edges are downloaded to pageable memory. After:
// frames are decoded to a ring of pinned buffers, each with a stream.
#include "gains.h"

#include <cstring>
#include <memory>

namespace {

constexpr int kWidth = 1920, kHeight = 1080;
constexpr int kPixels = kWidth * kHeight;
constexpr int kRing = 3;

__global__ void equalize(const unsigned char *frame, float *gray) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  gray[i] = powf(frame[i] * (1.0F / 255), 0.45F);
}

__global__ void smooth(const float *from, float *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % kWidth, y = i / kWidth;
  float sum = 0.0F;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx)
      sum += from[min(max(y + dy, 0), kHeight - 1) * kWidth +
                  min(max(x + dx, 0), kWidth - 1)];
  to[i] = sum / 25;
}

__global__ void find_edges(const float *gray, unsigned char *edges) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % kWidth, y = i / kWidth;
  float across = gray[x + 1 < kWidth ? i + 1 : i] - gray[x > 0 ? i - 1 : i];
  float down =
      gray[y + 1 < kHeight ? i + kWidth : i] - gray[y > 0 ? i - kWidth : i];
  edges[i] = static_cast<unsigned char>(
      fminf(255.0F, 2000.0F * sqrtf(across * across + down * down)));
}

/// What the GPU needs for one frame.
struct Work {
  DeviceArray<unsigned char> frame{kPixels}, edges{kPixels};
  DeviceArray<float> gray{kPixels}, smoothed{kPixels};

  void run(cudaStream_t stream) {
    equalize<<<kPixels / 256, 256, 0, stream>>>(frame, gray);
    smooth<<<kPixels / 256, 256, 0, stream>>>(gray, smoothed);
    find_edges<<<kPixels / 256, 256, 0, stream>>>(smoothed, edges);
  }
};

struct Slot {
  PinnedArray<unsigned char> frame{kPixels}, edges{kPixels};
  Work work;
  Stream stream;
};

/// Stands for a decoder: copies a part of a still that moves.
void decode(const std::vector<unsigned char> &still, int number,
            unsigned char *frame) {
  std::memcpy(frame, still.data() + number % 512 * 8, kPixels);
}

double count_edges(const unsigned char *edges) {
  double count = 0.0;
  for (int i = 0; i < kPixels; i += 499)
    count += edges[i] > 128;
  return count;
}

} // namespace

Outcome video_edges(bool before, int steps) {
  std::vector<unsigned char> still(kPixels + 4096);
  for (int i = 0; i < kPixels + 4096; ++i)
    still[i] = static_cast<unsigned char>(scramble(i / 32));
  std::vector<unsigned char> frame(kPixels), edges(kPixels);
  Work work;
  std::unique_ptr<Slot[]> ring(before ? nullptr : new Slot[kRing]);
  double sum = 0.0;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    if (before) {
      decode(still, step, frame.data());
      CUDA_CHECK(cudaMemcpy(work.frame, frame.data(), kPixels,
                            cudaMemcpyHostToDevice));
      work.run(nullptr);
      CUDA_CHECK(cudaMemcpy(edges.data(), work.edges, kPixels,
                            cudaMemcpyDeviceToHost));
      sum += count_edges(edges.data());
    } else {
      Slot &slot = ring[step % kRing];
      CUDA_CHECK(cudaStreamSynchronize(slot.stream));
      if (step >= kRing)
        sum += count_edges(slot.edges);
      decode(still, step, slot.frame);
      CUDA_CHECK(cudaMemcpyAsync(slot.work.frame, slot.frame, kPixels,
                                 cudaMemcpyHostToDevice, slot.stream));
      slot.work.run(slot.stream);
      CUDA_CHECK(cudaMemcpyAsync(slot.edges, slot.work.edges, kPixels,
                                 cudaMemcpyDeviceToHost, slot.stream));
    }
  }
  for (int i = 0; !before && i < kRing && i < clock.count(); ++i) {
    CUDA_CHECK(cudaStreamSynchronize(ring[i].stream));
    sum += count_edges(ring[i].edges);
  }
  return {clock.step_ns(), sum};
}
