// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Renders a scene of spheres by following light paths, pass after pass. In
// every fourth pass the host shows a preview. Before: it waits for the preview
// and downloads it to ordinary memory. After: it is downloaded to pinned memory
// and shown one pass later. There is little to gain, since a pass takes much
// longer than the download.
#include "gains.h"

namespace {

constexpr int kWidth = 1280, kHeight = 720;
constexpr int kPixels = kWidth * kHeight;
constexpr int kSpheres = 40;
constexpr int kPaths = 24; // Per pixel and pass.
constexpr int kBounces = 5;
constexpr int kInterval = 4;

__device__ float3 operator+(float3 a, float3 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
__device__ float3 operator-(float3 a, float3 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
__device__ float3 operator*(float a, float3 b) {
  return {a * b.x, a * b.y, a * b.z};
}
__device__ float dot(float3 a, float3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
__device__ float3 unit(float3 a) { return rsqrtf(dot(a, a) + 1e-20F) * a; }

// Returns the number of the sphere that a ray hits first, or -1.
__device__ int find_hit(const float4 *spheres, float3 from, float3 direction,
                        float &distance) {
  int hit = -1;
  distance = 1e20F;
  for (int i = 0; i < kSpheres; ++i) {
    float4 sphere = spheres[i];
    float3 to = float3{sphere.x, sphere.y, sphere.z} - from;
    float middle = dot(to, direction);
    float rest = middle * middle - dot(to, to) + sphere.w * sphere.w;
    float near = middle - sqrtf(fmaxf(rest, 0.0F));
    if (rest > 0.0F && near > 1e-3F && near < distance) {
      distance = near;
      hit = i;
    }
  }
  return hit;
}

__device__ float follow(const float4 *spheres, float3 from, float3 direction,
                        unsigned counter) {
  float light = 0.0F, left = 1.0F;
  for (int bounce = 0; bounce < kBounces; ++bounce) {
    float distance = 0.0F;
    int hit = find_hit(spheres, from, direction, distance);
    if (hit < 0)
      return light + left * (0.5F + 0.5F * fmaxf(direction.y, 0.0F)); // Sky.
    light += hit % 8 == 0 ? left * 3.0F : 0.0F; // Every eighth one is a lamp.
    left *= 0.4F + 0.5F * uniform(hit);
    from = from + distance * direction;
    float4 sphere = spheres[hit];
    float3 normal = unit(from - float3{sphere.x, sphere.y, sphere.z});
    float3 random = {uniform(counter) - 0.5F, uniform(counter + 1) - 0.5F,
                     uniform(counter + 2) - 0.5F};
    counter += 3;
    direction = unit(normal + 0.99F * unit(random));
  }
  return light;
}

__global__ void trace(const float4 *spheres, unsigned pass, float *sums) {
  __shared__ float4 scene[kSpheres];
  if (threadIdx.x < kSpheres)
    scene[threadIdx.x] = spheres[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0F;
  for (int path = 0; path < kPaths; ++path) {
    unsigned counter = scramble((pass * kPaths + path) * kPixels + i);
    float x = i % kWidth + uniform(counter) - kWidth / 2;
    float y = i / kWidth + uniform(counter + 1) - kHeight / 2;
    float3 direction = unit({x / kHeight, -y / kHeight, 1.0F});
    sum += follow(scene, {0.0F, 0.0F, -3.0F}, direction, counter + 2);
  }
  sums[i] += sum;
}

__global__ void expose(const float *sums, int passes, uchar4 *preview) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float level = sums[i] / (passes * kPaths);
  auto gray = static_cast<unsigned char>(255.0F * level / (1.0F + level));
  preview[i] = {gray, gray, gray, 255};
}

/// Stands for a window. Returns the mean of the pixels.
double show(const uchar4 *preview) {
  double sum = 0.0;
  for (int i = 0; i < kPixels; ++i)
    sum += preview[i].x;
  return sum / kPixels;
}

} // namespace

Outcome path_trace(bool before, int steps) {
  std::vector<float4> scene(kSpheres);
  for (int i = 0; i < kSpheres; ++i)
    scene[i] = {6.0F * uniform(4 * i) - 3.0F, 4.0F * uniform(4 * i + 1) - 2.0F,
                5.0F * uniform(4 * i + 2), 0.2F + 0.5F * uniform(4 * i + 3)};
  DeviceArray<float4> spheres(scene);
  DeviceArray<float> sums(kPixels);
  DeviceArray<uchar4> preview(kPixels);
  std::vector<uchar4> shown(kPixels);
  PinnedArray<uchar4> pinned(kPixels);
  Event arrived;
  bool waiting = false;
  double sum = 0.0;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    trace<<<kPixels / 128, 128>>>(spheres, step, sums);
    if (waiting) {
      CUDA_CHECK(cudaEventSynchronize(arrived));
      sum += show(pinned);
      waiting = false;
    }
    if (step % kInterval != kInterval - 1)
      continue;
    expose<<<kPixels / 256, 256>>>(sums, step + 1, preview);
    if (before) {
      CUDA_CHECK(cudaMemcpy(shown.data(), preview, kPixels * sizeof(uchar4),
                            cudaMemcpyDeviceToHost));
      sum += show(shown.data());
    } else {
      CUDA_CHECK(cudaMemcpyAsync(pinned, preview, kPixels * sizeof(uchar4),
                                 cudaMemcpyDeviceToHost));
      CUDA_CHECK(cudaEventRecord(arrived));
      waiting = true;
    }
  }
  double step_ns = clock.step_ns();
  if (waiting)
    sum += show(pinned);
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, sum / clock.count()};
}
