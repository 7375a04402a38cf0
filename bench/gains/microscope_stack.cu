// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Removes the blur of a microscope from the planes of a stack, by the method of
// Richardson and Lucy. Before: a plane is uploaded from ordinary memory and
// downloaded to it, and the host then writes it. After: both buffers are pinned
// and there are two of each, so that the host writes a plane and reads another
// while the GPU works.
#include "gains.h"

#include <cstdint>
#include <cstring>
#include <memory>

namespace {

constexpr int kSide = 2048;
constexpr int kPixels = kSide * kSide;
constexpr int kBytes = kPixels * sizeof(std::uint16_t);
constexpr int kIterations = 25;
constexpr int kRadius = 6;

using Pixel = std::uint16_t;

__device__ float weight(int distance) {
  return 0.16F * __expf(-0.08F * distance * distance); // Their sum is about 1.
}

__global__ void convert(const Pixel *plane, float *estimate) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  estimate[i] = fmaxf(plane[i], 1.0F);
}

__global__ void blur_rows(const float *from, float *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % kSide, row = i - x;
  float sum = 0.0F;
  for (int d = -kRadius; d <= kRadius; ++d)
    sum += weight(d) * from[row + min(max(x + d, 0), kSide - 1)];
  to[i] = sum;
}

__device__ float blurred_column(const float *from, int i) {
  int x = i % kSide, y = i / kSide;
  float sum = 0.0F;
  for (int d = -kRadius; d <= kRadius; ++d)
    sum += weight(d) * from[min(max(y + d, 0), kSide - 1) * kSide + x];
  return sum;
}

__global__ void compare(const Pixel *plane, const float *rows, float *ratio) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  ratio[i] = plane[i] / fmaxf(blurred_column(rows, i), 1.0F);
}

__global__ void correct(const float *rows, float *estimate) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  estimate[i] *= blurred_column(rows, i);
}

__global__ void round_off(const float *estimate, Pixel *plane) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  plane[i] = static_cast<Pixel>(fminf(estimate[i] + 0.5F, 65535.0F));
}

/// What the GPU needs for a plane.
struct Work {
  DeviceArray<Pixel> plane{kPixels}, sharp{kPixels};
  DeviceArray<float> estimate{kPixels}, rows{kPixels}, ratio{kPixels};

  void run() {
    constexpr int kBlocks = kPixels / 256;
    convert<<<kBlocks, 256>>>(plane, estimate);
    for (int i = 0; i < kIterations; ++i) {
      blur_rows<<<kBlocks, 256>>>(estimate, rows);
      compare<<<kBlocks, 256>>>(plane, rows, ratio);
      blur_rows<<<kBlocks, 256>>>(ratio, rows);
      correct<<<kBlocks, 256>>>(rows, estimate);
    }
    round_off<<<kBlocks, 256>>>(estimate, sharp);
  }
};

struct Buffers {
  PinnedArray<Pixel> plane{kPixels}, sharp{kPixels};
  Event arrived;
};

/// Stands for a camera's driver.
void read(const std::vector<Pixel> &scene, int number, Pixel *plane) {
  std::memcpy(plane, scene.data() + number % 64 * kSide, kBytes);
}

/// Stands for an encoder. Returns the sum of the differences between neighbors.
double write(const Pixel *sharp) {
  long long sum = 0;
  for (int i = 1; i < kPixels; ++i)
    sum += sharp[i] < sharp[i - 1] ? sharp[i - 1] - sharp[i]
                                   : sharp[i] - sharp[i - 1];
  return static_cast<double>(sum) / kPixels;
}

} // namespace

Outcome microscope_stack(bool before, int steps) {
  std::vector<Pixel> scene(kPixels + 64 * kSide), plane(kPixels);
  std::vector<Pixel> sharp(kPixels);
  for (std::size_t i = 0; i < scene.size(); ++i) {
    unsigned x = i % kSide / 32, y = static_cast<unsigned>(i / kSide / 32);
    scene[i] = static_cast<Pixel>(500 + scramble(y * 64 + x) % 8 * 1000);
  }
  std::unique_ptr<Buffers[]> pairs(before ? nullptr : new Buffers[2]);
  Work work;
  double sum = 0.0;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    if (before) {
      read(scene, step, plane.data());
      CUDA_CHECK(
          cudaMemcpy(work.plane, plane.data(), kBytes, cudaMemcpyHostToDevice));
      work.run();
      CUDA_CHECK(
          cudaMemcpy(sharp.data(), work.sharp, kBytes, cudaMemcpyDeviceToHost));
      sum += write(sharp.data());
      continue;
    }
    Buffers &buffers = pairs[step % 2];
    if (step >= 2) {
      CUDA_CHECK(cudaEventSynchronize(buffers.arrived));
      sum += write(buffers.sharp);
    }
    read(scene, step, buffers.plane);
    CUDA_CHECK(cudaMemcpyAsync(work.plane, buffers.plane, kBytes,
                               cudaMemcpyHostToDevice));
    work.run();
    CUDA_CHECK(cudaMemcpyAsync(buffers.sharp, work.sharp, kBytes,
                               cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaEventRecord(buffers.arrived));
  }
  for (int i = 0; !before && i < 2; ++i) {
    CUDA_CHECK(cudaEventSynchronize(pairs[i].arrived));
    sum += write(pairs[i].sharp);
  }
  double step_ns = clock.step_ns();
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, sum / clock.count()};
}
