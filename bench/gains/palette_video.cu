// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The palette of a video, by one iteration of k-means per frame. Before: the
// sums of colors are cleared, copied to the host, which divides them, and the
// new palette is copied back. After: a small kernel divides and clears them.
#include "gains.h"

namespace {

constexpr int kPixels = 1920 * 1080;
constexpr int kColors = 32;

struct Sum {
  unsigned red, green, blue, count;
};

__host__ __device__ void move_color(float4 &color, const Sum &sum) {
  if (sum.count == 0)
    return;
  float count = static_cast<float>(sum.count);
  color = {static_cast<float>(sum.red) / count,
           static_cast<float>(sum.green) / count,
           static_cast<float>(sum.blue) / count, 0.0F};
}

// The light changes from frame to frame.
__global__ void add_pixels(const uchar4 *image, const float4 *palette,
                           int light, Sum *sums) {
  __shared__ Sum of_block[kColors];
  __shared__ float4 colors[kColors];
  if (threadIdx.x < kColors) {
    of_block[threadIdx.x] = {};
    colors[threadIdx.x] = palette[threadIdx.x];
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned red = image[i].x + light, green = image[i].y, blue = image[i].z;
  float least = 1e30F;
  int best = 0;
  for (int color = 0; color < kColors; ++color) {
    float r = colors[color].x - red, g = colors[color].y - green,
          b = colors[color].z - blue;
    float square = r * r + g * g + b * b;
    if (square < least) {
      least = square;
      best = color;
    }
  }
  atomicAdd(&of_block[best].red, red);
  atomicAdd(&of_block[best].green, green);
  atomicAdd(&of_block[best].blue, blue);
  atomicAdd(&of_block[best].count, 1U);
  __syncthreads();
  if (threadIdx.x < kColors) {
    Sum mine = of_block[threadIdx.x];
    atomicAdd(&sums[threadIdx.x].red, mine.red);
    atomicAdd(&sums[threadIdx.x].green, mine.green);
    atomicAdd(&sums[threadIdx.x].blue, mine.blue);
    atomicAdd(&sums[threadIdx.x].count, mine.count);
  }
}

__global__ void move_colors(float4 *palette, Sum *sums) {
  move_color(palette[threadIdx.x], sums[threadIdx.x]);
  sums[threadIdx.x] = {};
}

} // namespace

Outcome palette_video(bool before, int steps) {
  std::vector<uchar4> pixels(kPixels);
  for (int i = 0; i < kPixels; ++i) {
    unsigned noise = scramble(i);
    pixels[i] = {static_cast<unsigned char>(i % 1920 / 8 + (noise & 15)),
                 static_cast<unsigned char>(i / 1920 / 5 + (noise >> 8 & 31)),
                 static_cast<unsigned char>(noise >> 16 & 127), 0};
  }
  std::vector<float4> palette(kColors);
  for (int color = 0; color < kColors; ++color)
    palette[color] = {256.0F * uniform(3 * color),
                      256.0F * uniform(3 * color + 1),
                      128.0F * uniform(3 * color + 2), 0.0F};
  DeviceArray<uchar4> image(pixels);
  DeviceArray<float4> palette_on_gpu(palette);
  DeviceArray<Sum> sums_on_gpu(kColors);
  Sum sums[kColors];
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    if (before)
      CUDA_CHECK(cudaMemset(sums_on_gpu, 0, sizeof(sums)));
    add_pixels<<<kPixels / 256, 256>>>(image, palette_on_gpu, step % 64,
                                       sums_on_gpu);
    if (before) {
      CUDA_CHECK(
          cudaMemcpy(sums, sums_on_gpu, sizeof(sums), cudaMemcpyDeviceToHost));
      for (int color = 0; color < kColors; ++color)
        move_color(palette[color], sums[color]);
      CUDA_CHECK(cudaMemcpy(palette_on_gpu, palette.data(),
                            kColors * sizeof(float4), cudaMemcpyHostToDevice));
    } else {
      move_colors<<<1, kColors>>>(palette_on_gpu, sums_on_gpu);
    }
  }
  double step_ns = clock.step_ns(), sum = 0.0;
  CUDA_CHECK(cudaMemcpy(palette.data(), palette_on_gpu,
                        kColors * sizeof(float4), cudaMemcpyDeviceToHost));
  for (int color = 0; color < kColors; ++color)
    sum += (1 + color) * (palette[color].x + 2 * palette[color].y);
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, sum / kColors};
}
