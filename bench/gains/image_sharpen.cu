// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sharpens an image with temporaries from cudaMallocAsync. Before: the pool
// returns freed memory whenever the program waits, which is in each step.
// After: the pool keeps it, and the program waits in every tenth step.
#include "gains.h"

#include <cstdint>

namespace {

constexpr int kWidth = 2048, kHeight = 1536;
constexpr int kPixels = kWidth * kHeight;
constexpr int kRadius = 4;
constexpr int kInterval = 10;

__device__ float weight(int distance) {
  return __expf(-0.125F * distance * distance);
}

__global__ void blur_rows(const float *from, float *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % kWidth;
  float sum = 0.0F, total = 0.0F;
  for (int d = -kRadius; d <= kRadius; ++d)
    if (x + d >= 0 && x + d < kWidth) {
      sum += weight(d) * from[i + d];
      total += weight(d);
    }
  to[i] = sum / total;
}

__global__ void blur_columns(const float *from, float *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int y = i / kWidth;
  float sum = 0.0F, total = 0.0F;
  for (int d = -kRadius; d <= kRadius; ++d)
    if (y + d >= 0 && y + d < kHeight) {
      sum += weight(d) * from[i + d * kWidth];
      total += weight(d);
    }
  to[i] = sum / total;
}

__global__ void add_details(float *image, const float *blurred, float amount) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = image[i] + amount * (image[i] - blurred[i]);
  image[i] = fminf(fmaxf(value, 0.0F), 1.0F);
}

} // namespace

Outcome image_sharpen(bool before, int steps) {
  if (!before) {
    int device = 0;
    cudaMemPool_t pool = nullptr;
    std::uint64_t all = UINT64_MAX;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
    CUDA_CHECK(
        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
  }
  DeviceArray<float> image(uniform_values(kPixels, 1));
  Stream stream;
  StepClock clock(steps, stream);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    float *rows = nullptr, *blurred = nullptr;
    CUDA_CHECK(cudaMallocAsync(&rows, kPixels * sizeof(float), stream));
    blur_rows<<<kPixels / 256, 256, 0, stream>>>(image, rows);
    CUDA_CHECK(cudaMallocAsync(&blurred, kPixels * sizeof(float), stream));
    blur_columns<<<kPixels / 256, 256, 0, stream>>>(rows, blurred);
    CUDA_CHECK(cudaFreeAsync(rows, stream));
    add_details<<<kPixels / 256, 256, 0, stream>>>(image, blurred,
                                                   step % 2 ? 0.2F : -0.2F);
    CUDA_CHECK(cudaFreeAsync(blurred, stream));
    if (before || step % kInterval == kInterval - 1)
      CUDA_CHECK(cudaStreamSynchronize(stream));
  }
  double step_ns = clock.step_ns(), sum = 0.0;
  std::vector<float> pixels(kPixels);
  CUDA_CHECK(cudaMemcpy(pixels.data(), image, kPixels * sizeof(float),
                        cudaMemcpyDeviceToHost));
  for (float pixel : pixels)
    sum += pixel * pixel;
  return {step_ns, sum / kPixels};
}
