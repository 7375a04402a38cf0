// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost to move one distribution to another (Sinkhorn's algorithm); a step
// is a pair of distributions. Before: the host reads the error in each
// iteration, until it is small. After: in every twentieth, with up to 19
// iterations too many.
#include "gains.h"

namespace {

constexpr int kBins = 2048;
constexpr int kMostIterations = 1000;
constexpr float kSharpness = 100.0F; // By 1 over the temperature of the plan.
constexpr double kTolerance = 2e-4;

__device__ float cost(int from, int to) {
  float distance = (from - to) * (1.0F / kBins);
  return distance * distance;
}

__global__ void fill_kernel(float *kernel) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  kernel[i] = expf(-kSharpness * cost(i / kBins, i % kBins));
}

// One block of 256 threads per distribution: three bumps on a level ground.
__global__ void make_distribution(float *shares, unsigned seed) {
  __shared__ float total;
  float sum = 0.0F;
  for (int i = threadIdx.x; i < kBins; i += blockDim.x) {
    float share = 0.2F, x = static_cast<float>(i) / kBins;
    for (int bump = 0; bump < 3; ++bump) {
      float away = x - uniform(3 * seed + bump);
      share += expf(-200.0F * away * away);
    }
    shares[i] = share;
    sum += share;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0)
    total = sum;
  __syncthreads();
  for (int i = threadIdx.x; i < kBins; i += blockDim.x)
    shares[i] /= total;
}

// One block of 256 threads per bin: scales the bin, so that its row of the plan
// adds up to its share. Adds by how much it did not. The kernel is symmetric,
// so this serves for columns, too.
__global__ void scale(const float *kernel, const float *other,
                      const float *shares, float *scales, double *error) {
  const float *row = kernel + blockIdx.x * kBins;
  float sum = 0.0F;
  for (int i = threadIdx.x; i < kBins; i += blockDim.x)
    sum += row[i] * other[i];
  sum = block_sum(sum);
  if (threadIdx.x > 0)
    return;
  float share = shares[blockIdx.x];
  if (error)
    atomicAdd(error, fabs(static_cast<double>(scales[blockIdx.x] * sum) -
                          static_cast<double>(share)));
  scales[blockIdx.x] = share / sum;
}

__global__ void add_cost(const float *kernel, const float *left,
                         const float *right, double *total) {
  float sum = 0.0F;
  for (int i = threadIdx.x; i < kBins; i += blockDim.x)
    sum += kernel[blockIdx.x * kBins + i] * right[i] * cost(blockIdx.x, i);
  sum = block_sum(sum);
  if (threadIdx.x == 0)
    atomicAdd(total, static_cast<double>(sum * left[blockIdx.x]));
}

__global__ void set_to_one(float *scales) {
  scales[blockIdx.x * blockDim.x + threadIdx.x] = 1.0F;
}

class Transport {
public:
  Transport() { fill_kernel<<<kBins * kBins / 256, 256>>>(kernel_); }

  void solve(unsigned pair, int interval) {
    make_distribution<<<1, 256>>>(from_, 2 * pair);
    make_distribution<<<1, 256>>>(to_, 2 * pair + 1);
    set_to_one<<<kBins / 256, 256>>>(left_);
    set_to_one<<<kBins / 256, 256>>>(right_);
    double error = 1.0;
    for (int i = 1; i <= kMostIterations && error > kTolerance; ++i) {
      CUDA_CHECK(cudaMemsetAsync(error_, 0, sizeof(double)));
      scale<<<kBins, 256>>>(kernel_, right_, from_, left_, error_);
      scale<<<kBins, 256>>>(kernel_, left_, to_, right_, nullptr);
      if (i % interval == 0)
        CUDA_CHECK(
            cudaMemcpy(&error, error_, sizeof(error), cudaMemcpyDeviceToHost));
    }
    add_cost<<<kBins, 256>>>(kernel_, left_, right_, cost_);
  }

  double cost_of_all() const {
    double cost = 0.0;
    CUDA_CHECK(cudaMemcpy(&cost, cost_, sizeof(cost), cudaMemcpyDeviceToHost));
    return cost;
  }

private:
  DeviceArray<float> kernel_{kBins * kBins};
  DeviceArray<float> from_{kBins}, to_{kBins}, left_{kBins}, right_{kBins};
  DeviceArray<double> error_{1}, cost_{1};
};

} // namespace

Outcome optimal_transport(bool before, int steps) {
  Transport transport;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    transport.solve(step, before ? 1 : 20);
  }
  double step_ns = clock.step_ns();
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, transport.cost_of_all() / clock.count()};
}
