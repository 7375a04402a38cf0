// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Renders frames of a moving camera. Before: the camera is copied from the
// stack to constant memory. After: it is a parameter of the kernel.
#include "gains.h"

#include <cmath>

namespace {

constexpr int kWidth = 1280, kHeight = 720;
constexpr int kPixels = kWidth * kHeight;

struct Camera {
  float3 position;
  float3 right, up, forward;
  float3 light;
};

__constant__ Camera camera_of_frame;

__device__ float3 along(float3 from, float3 direction, float length) {
  return {from.x + length * direction.x, from.y + length * direction.y,
          from.z + length * direction.z};
}

__device__ float length_of(float x, float y, float z) {
  return sqrtf(x * x + y * y + z * z);
}

/// The distance to the nearest of endless rows of spheres, or to the floor.
__device__ float distance_to_scene(float3 p) {
  float x = p.x - 4 * rintf(p.x / 4), z = p.z - 4 * rintf(p.z / 4);
  return fminf(length_of(x, p.y, z) - 1.0F, p.y + 1.0F);
}

__device__ float shade(const Camera &camera, int pixel) {
  float x = (pixel % kWidth - kWidth / 2) * (1.5F / kHeight);
  float y = (pixel / kWidth - kHeight / 2) * (1.5F / kHeight);
  float3 ray = along(along(camera.forward, camera.right, x), camera.up, y);
  float scale = rsqrtf(ray.x * ray.x + ray.y * ray.y + ray.z * ray.z);
  float travelled = 0.0F;
  for (int i = 0; i < 96 && travelled < 60.0F; ++i) {
    float3 p = along(camera.position, ray, scale * travelled);
    float distance = distance_to_scene(p);
    if (distance < 1e-3F) {
      float nearer = distance_to_scene(along(p, camera.light, 0.1F));
      return fminf(fmaxf((nearer - distance) * 10, 0.1F), 1.0F) *
             __expf(-0.05F * travelled);
    }
    travelled += distance;
  }
  return 0.0F;
}

__global__ void render(float *image) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  image[pixel] = 0.5F * image[pixel] + 0.5F * shade(camera_of_frame, pixel);
}

__global__ void render_from(float *image, Camera camera) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  image[pixel] = 0.5F * image[pixel] + 0.5F * shade(camera, pixel);
}

Camera camera_at(int step) {
  float angle = 0.002F * static_cast<float>(step);
  float c = std::cos(angle), s = std::sin(angle);
  return {{10.0F * c, 2.5F, 10.0F * s},
          {-s, 0.0F, c},
          {0.0F, 1.0F, 0.0F},
          {-c, -0.2F, -s},
          {0.6F * c, 0.6F, 0.53F * s}};
}

} // namespace

Outcome ray_march(bool before, int steps) {
  DeviceArray<float> image(kPixels);
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    Camera camera = camera_at(step);
    if (before) {
      CUDA_CHECK(cudaMemcpyToSymbol(camera_of_frame, &camera, sizeof(camera)));
      render<<<kPixels / 256, 256>>>(image);
    } else {
      render_from<<<kPixels / 256, 256>>>(image, camera);
    }
  }
  double step_ns = clock.step_ns(), sum = 0.0;
  std::vector<float> pixels(kPixels);
  CUDA_CHECK(cudaMemcpy(pixels.data(), image, kPixels * sizeof(float),
                        cudaMemcpyDeviceToHost));
  for (float pixel : pixels)
    sum += pixel;
  return {step_ns, sum / kPixels};
}
