// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CLEAN algorithm of radio astronomy: finds the brightest pixel and
// subtracts the instrument's response to a point there. Before: Thrust returns
// the pixel to the host, which launches the subtraction. After: CUB leaves the
// pixel on the GPU.
#include "gains.h"

#include <cub/device/device_reduce.cuh>
#include <cuda/std/cstdint>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>

namespace {

constexpr int kSide = 1024;
constexpr int kPixels = kSide * kSide;
constexpr int kRadius = 128; // Of the response.
constexpr int kResponse = 2 * kRadius;
constexpr float kGain = 0.1F;

__host__ __device__ float response(int x, int y) {
  float square = static_cast<float>(x * x + y * y);
  return expf(-square / 18.0F) + 0.05F * expf(-square / 4000.0F) *
                                     cosf(0.4F * static_cast<float>(x + y));
}

__device__ void subtract_at(float *image, float *model, const float *responses,
                            int peak, float brightness) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int x = peak % kSide + column - kRadius, y = peak / kSide + row - kRadius;
  if (x >= 0 && x < kSide && y >= 0 && y < kSide)
    image[y * kSide + x] -=
        kGain * brightness * responses[row * kResponse + column];
  if (column == 0 && row == 0)
    model[peak] += kGain * brightness;
}

__global__ void subtract(float *image, float *model, const float *responses,
                         int peak, float brightness) {
  subtract_at(image, model, responses, peak, brightness);
}

__global__ void subtract_found(float *image, float *model,
                               const float *responses,
                               const cuda::std::int64_t *peak,
                               const float *brightness) {
  subtract_at(image, model, responses, static_cast<int>(*peak), *brightness);
}

/// Points of several brightnesses, blurred by the response, and noise.
std::vector<float> observe() {
  std::vector<float> image = uniform_values(kPixels, 1);
  for (float &pixel : image)
    pixel *= 0.01F;
  for (int point = 0; point < 60; ++point) {
    int x = scramble(3 * point) % kSide, y = scramble(3 * point + 1) % kSide;
    float brightness = 1.0F + 9.0F * uniform(3 * point + 2);
    for (int dy = -60; dy <= 60; ++dy)
      for (int dx = -60; dx <= 60; ++dx)
        if (x + dx >= 0 && x + dx < kSide && y + dy >= 0 && y + dy < kSide)
          image[(y + dy) * kSide + x + dx] += brightness * response(dx, dy);
  }
  return image;
}

} // namespace

Outcome clean_peaks(bool before, int steps) {
  std::vector<float> pattern(kResponse * kResponse);
  for (int i = 0; i < kResponse * kResponse; ++i)
    pattern[i] = response(i % kResponse - kRadius, i / kResponse - kRadius);
  DeviceArray<float> image(observe()), responses(pattern), model(kPixels),
      brightest(1);
  DeviceArray<cuda::std::int64_t> found(1);
  const float *pixels = image;
  std::size_t bytes = 0;
  CUDA_CHECK(cub::DeviceReduce::ArgMax(
      nullptr, bytes, pixels, static_cast<float *>(brightest),
      static_cast<cuda::std::int64_t *>(found),
      static_cast<cuda::std::int64_t>(kPixels)));
  DeviceArray<char> scratch(bytes);
  dim3 block(32, 8), blocks(kResponse / 32, kResponse / 8);
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    if (before) {
      const float *peak =
          thrust::max_element(thrust::device, pixels, pixels + kPixels);
      float brightness = 0.0F;
      CUDA_CHECK(cudaMemcpy(&brightness, peak, sizeof(brightness),
                            cudaMemcpyDeviceToHost));
      subtract<<<blocks, block>>>(image, model, responses,
                                  static_cast<int>(peak - pixels), brightness);
    } else {
      CUDA_CHECK(
          cub::DeviceReduce::ArgMax(static_cast<void *>(scratch), bytes, pixels,
                                    static_cast<float *>(brightest),
                                    static_cast<cuda::std::int64_t *>(found),
                                    static_cast<cuda::std::int64_t>(kPixels)));
      subtract_found<<<blocks, block>>>(image, model, responses, found,
                                        brightest);
    }
  }
  double step_ns = clock.step_ns(), sum = 0.0;
  std::vector<float> fluxes(kPixels);
  CUDA_CHECK(cudaMemcpy(fluxes.data(), model, kPixels * sizeof(float),
                        cudaMemcpyDeviceToHost));
  for (int i = 0; i < kPixels; ++i)
    sum += static_cast<double>(fluxes[i]) * (1 + i % 7);
  return {step_ns, sum};
}
