// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Gray-Scott model of two reacting substances. Before: a macro for
// debugging waits after each kernel, to find errors where they occur. After: it
// asks for launch errors only, and the loop waits in every fiftieth step.
#include "gains.h"

namespace {

constexpr int kSide = 1024;
constexpr int kCells = kSide * kSide;
constexpr int kInterval = 50;

__device__ float laplacian(const float *field, int i) {
  int x = i % kSide, y = i / kSide;
  int left = x > 0 ? i - 1 : i + kSide - 1;
  int right = x + 1 < kSide ? i + 1 : i - kSide + 1;
  int up = y > 0 ? i - kSide : i + kCells - kSide;
  int down = y + 1 < kSide ? i + kSide : i - kCells + kSide;
  return field[left] + field[right] + field[up] + field[down] - 4 * field[i];
}

__global__ void diffuse(const float *field, float *change, float rate) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  change[i] = rate * laplacian(field, i);
}

__global__ void react(float *u, float *v, const float *u_change,
                      const float *v_change) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float reaction = u[i] * v[i] * v[i];
  u[i] += u_change[i] - reaction + 0.037F * (1.0F - u[i]);
  v[i] += v_change[i] + reaction - (0.037F + 0.06F) * v[i];
}

__global__ void total(const float *field, float *totals) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = block_sum(field[i]);
  if (threadIdx.x == 0)
    totals[blockIdx.x] = sum;
}

void check_kernel(const char *name, bool wait) {
  cudaError_t status = cudaGetLastError();
  if (status == cudaSuccess && wait)
    status = cudaDeviceSynchronize();
  if (status != cudaSuccess)
    failed(name, __FILE__, __LINE__, cudaGetErrorString(status));
}

} // namespace

Outcome reaction_checks(bool before, int steps) {
  std::vector<float> first_u(kCells, 1.0F), first_v(kCells, 0.0F);
  for (int i = 0; i < kCells; ++i)
    if (scramble(i / kSide / 16 * 64 + i % kSide / 16) % 16 == 0) {
      first_u[i] = 0.5F;
      first_v[i] = 0.25F;
    }
  constexpr int kBlocks = kCells / 256;
  DeviceArray<float> u(first_u), v(first_v), u_change(kCells), v_change(kCells),
      totals(kBlocks);
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    diffuse<<<kBlocks, 256>>>(u, u_change, 0.2F);
    check_kernel("diffuse", before);
    diffuse<<<kBlocks, 256>>>(v, v_change, 0.1F);
    check_kernel("diffuse", before);
    react<<<kBlocks, 256>>>(u, v, u_change, v_change);
    check_kernel("react", before);
    total<<<kBlocks, 256>>>(v, totals);
    check_kernel("total", before || step % kInterval == kInterval - 1);
  }
  double step_ns = clock.step_ns(), sum = 0.0;
  std::vector<float> sums(kBlocks);
  CUDA_CHECK(cudaMemcpy(sums.data(), totals, kBlocks * sizeof(float),
                        cudaMemcpyDeviceToHost));
  for (float part : sums)
    sum += part;
  return {step_ns, sum / kCells};
}
