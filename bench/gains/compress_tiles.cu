// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transforms and quantizes the tiles of a large image, as JPEG does, with four
// streams that take turns. Before: the host waits for the stream of each tile,
// so that one stream works at a time. After: each tile has an event, for which
// the host waits when it needs the buffers again, four tiles later.
#include "gains.h"

#include <cstring>

namespace {

constexpr int kSide = 1024; // Of a tile.
constexpr int kPixels = kSide * kSide;
constexpr int kStreams = 4;

// One block per square of 8 by 8 pixels: the discrete cosine transform of the
// rows, then of the columns.
__global__ void transform(const unsigned char *pixels, signed char *levels) {
  __shared__ float square[8][8], halfway[8][8], cosines[8][8];
  int x = threadIdx.x, y = threadIdx.y;
  int i = (blockIdx.y * 8 + y) * kSide + blockIdx.x * 8 + x;
  cosines[y][x] =
      cosf(3.14159265F / 16 * y * (2 * x + 1)) * (y == 0 ? 0.353553391F : 0.5F);
  square[y][x] = pixels[i] - 128.0F;
  __syncthreads();
  float sum = 0.0F;
  for (int k = 0; k < 8; ++k)
    sum += cosines[x][k] * square[y][k];
  halfway[y][x] = sum;
  __syncthreads();
  sum = 0.0F;
  for (int k = 0; k < 8; ++k)
    sum += cosines[y][k] * halfway[k][x];
  float level = rintf(sum / (8.0F + 4.0F * (x + y)));
  levels[i] = static_cast<signed char>(fminf(fmaxf(level, -127.0F), 127.0F));
}

struct Slot {
  PinnedArray<unsigned char> pixels{kPixels};
  PinnedArray<signed char> levels{kPixels};
  DeviceArray<unsigned char> pixels_on_gpu{kPixels};
  DeviceArray<signed char> levels_on_gpu{kPixels};
  Stream stream;
  Event done;

  void start() {
    CUDA_CHECK(cudaMemcpyAsync(pixels_on_gpu, pixels, kPixels,
                               cudaMemcpyHostToDevice, stream));
    transform<<<dim3(kSide / 8, kSide / 8), dim3(8, 8), 0, stream>>>(
        pixels_on_gpu, levels_on_gpu);
    CUDA_CHECK(cudaMemcpyAsync(levels, levels_on_gpu, kPixels,
                               cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaEventRecord(done, stream));
  }

  /// Stands for the coder: samples the lengths of the levels' codes.
  double code() const {
    double length = 0.0;
    for (int i = 0; i < kPixels; i += 61)
      length += levels[i] < 0 ? -levels[i] : levels[i];
    return length;
  }
};

/// Reads a tile of an image, which is a part of a still here.
void load(const std::vector<unsigned char> &still, int number,
          unsigned char *pixels) {
  std::memcpy(pixels, still.data() + number % 256 * 64, kPixels);
}

} // namespace

Outcome compress_tiles(bool before, int steps) {
  std::vector<unsigned char> still(kPixels + 256 * 64);
  for (std::size_t i = 0; i < still.size(); ++i)
    still[i] = static_cast<unsigned char>(
        i / 5 % 160 + scramble(static_cast<unsigned>(i)) % 24);
  Slot slots[kStreams];
  double sum = 0.0;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    Slot &slot = slots[step % kStreams];
    if (!before && step >= kStreams) {
      CUDA_CHECK(cudaEventSynchronize(slot.done));
      sum += slot.code();
    }
    load(still, step, slot.pixels);
    slot.start();
    if (before) {
      CUDA_CHECK(cudaStreamSynchronize(slot.stream));
      sum += slot.code();
    }
  }
  for (int i = 0; !before && i < kStreams; ++i) {
    CUDA_CHECK(cudaEventSynchronize(slots[i].done));
    sum += slots[i].code();
  }
  double step_ns = clock.step_ns();
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, sum / clock.count()};
}
