// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tomography: filters one image of a detector per step, and projects it back
// into a volume. Before: images are uploaded from pageable memory when the step
// needs them. After: they are in pinned memory, and a second stream uploads the
// next image while the GPU works on the current one.
#include "gains.h"

#include <cmath>
#include <memory>

namespace {

constexpr int kDetector = 2048; // Pixels in a row and in a column.
constexpr int kPixels = kDetector * kDetector;
constexpr int kImages = 4; // Of a phantom that is the same from all sides.
constexpr int kRadius = 64;
constexpr int kSide = 384, kSlices = 256; // Of the volume.
constexpr int kVoxels = kSide * kSide * kSlices;
constexpr std::size_t kBytes = kPixels * sizeof(float);

// The ramp filter along the rows.
__global__ void filter(const float *image, float *filtered) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % kDetector;
  float sum = 0.25F * image[i];
  for (int tap = 1; tap <= kRadius; tap += 2) {
    float weight = -0.101321184F / (tap * tap);
    float left = x >= tap ? image[i - tap] : 0.0F;
    float right = x + tap < kDetector ? image[i + tap] : 0.0F;
    sum += weight * (left + right);
  }
  filtered[i] = sum;
}

__global__ void project(const float *filtered, float *volume, float cosine,
                        float sine) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % kSide - kSide / 2, y = i / kSide % kSide - kSide / 2;
  int z = i / (kSide * kSide);
  float place = 3.5F * (x * cosine + y * sine) + kDetector / 2;
  int left = static_cast<int>(place);
  float share = place - left;
  if (left < 0 || left + 1 >= kDetector)
    return;
  const float *row = filtered + z * (kDetector / kSlices) * kDetector;
  volume[i] += (1.0F - share) * row[left] + share * row[left + 1];
}

/// Shadows of a ball in the middle, with noise.
void expose(float *image, int number) {
  for (int i = 0; i < kPixels; ++i) {
    int x = i % kDetector - kDetector / 2, y = i / kDetector - kDetector / 2;
    float square = 600.0F * 600.0F - static_cast<float>(x * x + y * y);
    image[i] = (square > 0.0F ? 0.002F * std::sqrt(square) : 0.0F) +
               0.01F * uniform(number * kPixels + i);
  }
}

} // namespace

Outcome back_projection(bool before, int steps) {
  std::vector<float> pageable[kImages];
  std::unique_ptr<PinnedArray<float>> pinned[kImages];
  const float *images[kImages];
  for (int i = 0; i < kImages; ++i) {
    if (before) {
      pageable[i].resize(kPixels);
      expose(pageable[i].data(), i);
      images[i] = pageable[i].data();
    } else {
      pinned[i].reset(new PinnedArray<float>(kPixels));
      expose(*pinned[i], i);
      images[i] = *pinned[i];
    }
  }
  DeviceArray<float> uploaded[2] = {DeviceArray<float>(kPixels),
                                    DeviceArray<float>(kPixels)};
  DeviceArray<float> filtered(kPixels), volume(kVoxels);
  Stream copies, compute;
  Event arrived[2], used[2];
  StepClock clock(steps, compute);
  auto upload = [&](int step) {
    int slot = step % 2;
    CUDA_CHECK(cudaStreamWaitEvent(copies, used[slot])); // Two steps before.
    CUDA_CHECK(cudaMemcpyAsync(uploaded[slot], images[step % kImages], kBytes,
                               cudaMemcpyHostToDevice, copies));
    CUDA_CHECK(cudaEventRecord(arrived[slot], copies));
  };
  if (!before)
    upload(0);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    int slot = before ? 0 : step % 2;
    if (before) {
      CUDA_CHECK(cudaMemcpyAsync(uploaded[slot], images[step % kImages], kBytes,
                                 cudaMemcpyHostToDevice, compute));
    } else {
      if (step + 1 < clock.count())
        upload(step + 1);
      CUDA_CHECK(cudaStreamWaitEvent(compute, arrived[slot]));
    }
    float angle = 0.01F * static_cast<float>(step);
    filter<<<kPixels / 256, 256, 0, compute>>>(uploaded[slot], filtered);
    CUDA_CHECK(cudaEventRecord(used[slot], compute));
    project<<<kVoxels / 256, 256, 0, compute>>>(
        filtered, volume, std::cos(angle), std::sin(angle));
  }
  double step_ns = clock.step_ns(), sum = 0.0;
  std::vector<float> slice(kSide * kSide);
  CUDA_CHECK(cudaMemcpy(slice.data(), volume + kVoxels / 2,
                        slice.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (float voxel : slice)
    sum += voxel;
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, sum / clock.count()};
}
