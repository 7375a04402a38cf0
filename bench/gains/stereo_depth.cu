// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the depth of what two cameras see. The images of each camera have a
// stream; that of the left one also compares the two. Before: the host waits
// for both streams before it compares, and for the result. After: events order
// the streams.
#include "gains.h"

#include <cstdint>

namespace {

constexpr int kWidth = 1280, kHeight = 720;
constexpr int kPixels = kWidth * kHeight;
constexpr int kShifts = 64;
constexpr int kFrames = 8;

// A bit for each pixel around that is brighter.
__global__ void describe(const std::uint8_t *image, unsigned *bits) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % kWidth, y = i / kWidth;
  unsigned mine = 0;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx) {
      int near = min(max(y + dy, 0), kHeight - 1) * kWidth +
                 min(max(x + dx, 0), kWidth - 1);
      mine = mine << 1 | (image[near] > image[i] ? 1U : 0U);
    }
  bits[i] = mine;
}

// The shift by which the pixels around differ least.
__global__ void match(const unsigned *left, const unsigned *right,
                      unsigned *shifts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % kWidth, y = i / kWidth;
  int least = 1 << 30, best = 0;
  for (int shift = 0; shift < kShifts; ++shift) {
    int difference = 0;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -2; dx <= 2; ++dx) {
        int row = min(max(y + dy, 0), kHeight - 1) * kWidth;
        int at = min(max(x + dx, 0), kWidth - 1);
        difference += __popc(left[row + at] ^ right[row + max(at - shift, 0)]);
      }
    if (difference < least) {
      least = difference;
      best = shift;
    }
  }
  atomicAdd(&shifts[best], 1U);
}

/// A camera's images, which are in pinned memory already.
struct Camera {
  explicit Camera(int shift) {
    for (int frame = 0; frame < kFrames; ++frame)
      for (int i = 0; i < kPixels; ++i) {
        int band = i / kWidth / 90; // Each is as far away as it is high.
        images[frame * kPixels + i] = static_cast<std::uint8_t>(
            scramble((i + shift * (band + 1)) * kFrames + frame) >> 24);
      }
  }

  void upload_and_describe(int step) {
    CUDA_CHECK(cudaMemcpyAsync(image, images + step % kFrames * kPixels,
                               kPixels, cudaMemcpyHostToDevice, stream));
    describe<<<kPixels / 256, 256, 0, stream>>>(image, bits);
  }

  PinnedArray<std::uint8_t> images{kFrames * kPixels};
  DeviceArray<std::uint8_t> image{kPixels};
  DeviceArray<unsigned> bits{kPixels};
  Stream stream;
};

} // namespace

Outcome stereo_depth(bool before, int steps) {
  Camera left(0), right(5);
  DeviceArray<unsigned> shifts(kShifts);
  Event described, matched;
  StepClock clock(steps, left.stream);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    if (!before)
      CUDA_CHECK(cudaStreamWaitEvent(right.stream, matched));
    left.upload_and_describe(step);
    right.upload_and_describe(step);
    if (before) {
      CUDA_CHECK(cudaStreamSynchronize(left.stream));
      CUDA_CHECK(cudaStreamSynchronize(right.stream));
    } else {
      CUDA_CHECK(cudaEventRecord(described, right.stream));
      CUDA_CHECK(cudaStreamWaitEvent(left.stream, described));
    }
    match<<<kPixels / 256, 256, 0, left.stream>>>(left.bits, right.bits,
                                                  shifts);
    if (before)
      CUDA_CHECK(cudaStreamSynchronize(left.stream));
    else
      CUDA_CHECK(cudaEventRecord(matched, left.stream));
  }
  double step_ns = clock.step_ns(), sum = 0.0;
  std::vector<unsigned> read(kShifts);
  CUDA_CHECK(cudaMemcpy(read.data(), shifts, kShifts * sizeof(unsigned),
                        cudaMemcpyDeviceToHost));
  for (int shift = 0; shift < kShifts; ++shift)
    sum += static_cast<double>(read[shift]) * (1 + shift);
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, sum / clock.count()};
}
