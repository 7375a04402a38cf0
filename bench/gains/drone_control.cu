// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steers a drone by its most promising futures: the GPU simulates 8192 of them,
// and cuBLAS averages their controls, by how well they follow a target. Before:
// the host waits for the GPU and copies the controls. After: it copies them to
// pinned memory and waits once. There is little to gain, because the drone
// needs the controls.
#include "gains.h"

#include <cmath>

namespace {

constexpr int kFutures = 8192;
constexpr int kHorizon = 48; // Periods of a future.
constexpr int kHeld = 8;     // Periods that a change of the controls lasts.
constexpr int kControls = 2 * kHorizon;
constexpr float kPeriod = 0.02F; // In seconds.

/// Seen from the side.
struct Drone {
  float x, y, angle, speed_x, speed_y, turn;
};

__host__ __device__ inline Drone fly(Drone drone, float thrust, float torque) {
  thrust = fminf(fmaxf(thrust, 0.0F), 20.0F);
  torque = fminf(fmaxf(torque, -10.0F), 10.0F);
  drone.speed_x -= kPeriod * thrust * sinf(drone.angle);
  drone.speed_y += kPeriod * (thrust * cosf(drone.angle) - 9.81F);
  drone.turn += kPeriod * (torque - 2.0F * drone.turn);
  drone.x += kPeriod * drone.speed_x;
  drone.y += kPeriod * drone.speed_y;
  drone.angle += kPeriod * drone.turn;
  return drone;
}

__host__ __device__ inline float miss(const Drone &drone, float time) {
  float x = drone.x - 2.0F * sinf(0.7F * time);
  float y = drone.y - cosf(0.9F * time);
  return x * x + y * y;
}

// `changes` has a column for each control.
__global__ void simulate(Drone drone, const float *plan, int step,
                         float *changes, float *costs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned counter = (step * kFutures + i) * kHorizon;
  float cost = 0.0F;
  for (int period = 0; period < kHorizon; ++period) {
    float changed[2];
    for (int j = 0; j < 2; ++j) {
      unsigned place = counter + period / kHeld * 4 + 2 * j;
      float noise = uniform(place) + uniform(place + 1) - 1.0F;
      float change = (j == 0 ? 6.0F : 3.0F) * noise;
      changes[(2 * period + j) * kFutures + i] = change;
      changed[j] = plan[2 * period + j] + change;
    }
    drone = fly(drone, changed[0], changed[1]);
    cost += miss(drone, kPeriod * (step + period + 1)) +
            0.1F * drone.angle * drone.angle + 0.01F * drone.turn * drone.turn;
  }
  costs[i] = cost;
}

// One block of 256 threads.
__global__ void weigh(const float *costs, float *weights) {
  __shared__ float least_of_warps[8], total;
  float least = 1e30F;
  for (int i = threadIdx.x; i < kFutures; i += blockDim.x)
    least = fminf(least, costs[i]);
  for (int lane = 16; lane > 0; lane /= 2)
    least = fminf(least, __shfl_xor_sync(0xffffffffU, least, lane));
  if (threadIdx.x % 32 == 0)
    least_of_warps[threadIdx.x / 32] = least;
  __syncthreads();
  for (float other : least_of_warps)
    least = fminf(least, other);
  float sum = 0.0F;
  for (int i = threadIdx.x; i < kFutures; i += blockDim.x) {
    weights[i] = __expf(0.2F * (least - costs[i]));
    sum += weights[i];
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0)
    total = sum;
  __syncthreads();
  for (int i = threadIdx.x; i < kFutures; i += blockDim.x)
    weights[i] /= total;
}

// The next step begins one period later. One block of a thread per control.
__global__ void shift(float *plan) {
  int i = threadIdx.x;
  float next = plan[i < kControls - 2 ? i + 2 : i];
  __syncthreads();
  plan[i] = next;
}

} // namespace

Outcome drone_control(bool before, int steps) {
  std::vector<float> hover(kControls, 0.0F);
  for (int i = 0; i < kControls; i += 2)
    hover[i] = 9.81F;
  DeviceArray<float> changes(kFutures * kControls), plan(hover);
  DeviceArray<float> costs(kFutures), weights(kFutures);
  PinnedArray<float> pinned(2);
  cublasHandle_t blas = nullptr;
  CUBLAS_CHECK(cublasCreate(&blas));
  Drone drone = {0.0F, 1.0F, 0.0F, 0.0F, 0.0F, 0.0F};
  double missed = 0.0;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    simulate<<<kFutures / 64, 64>>>(drone, plan, step, changes, costs);
    weigh<<<1, 256>>>(costs, weights);
    float one = 1.0F, controls[2];
    CUBLAS_CHECK(cublasSgemv(blas, CUBLAS_OP_T, kFutures, kControls, &one,
                             changes, kFutures, weights, 1, &one, plan, 1));
    if (before) {
      CUDA_CHECK(cudaDeviceSynchronize());
      CUDA_CHECK(
          cudaMemcpy(controls, plan, sizeof(controls), cudaMemcpyDeviceToHost));
    } else {
      CUDA_CHECK(cudaMemcpyAsync(pinned, plan, sizeof(controls),
                                 cudaMemcpyDeviceToHost));
      CUDA_CHECK(cudaStreamSynchronize(nullptr));
      controls[0] = pinned[0];
      controls[1] = pinned[1];
    }
    shift<<<1, kControls>>>(plan);
    drone = fly(drone, controls[0], controls[1]);
    missed += std::sqrt(miss(drone, kPeriod * (step + 1)));
  }
  double step_ns = clock.step_ns();
  CUDA_CHECK(cudaGetLastError());
  CUBLAS_CHECK(cublasDestroy(blas));
  return {step_ns, missed / clock.count()};
}
