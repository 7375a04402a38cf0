// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels.cuh"

namespace {

constexpr float kSqrtHalf = 0.70710678F;
constexpr float kInvSqrtTwoPi = 0.39894228F;

__device__ int element() {
  return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

// Phi(x), the standard normal distribution: GELU(x) = x Phi(x).
__device__ float normal_cdf(float x) {
  return 0.5F * (1.0F + erff(x * kSqrtHalf));
}

// Adds up one value per thread in a fixed order; valid in thread 0.
__device__ float block_sum(float value) {
  __shared__ float sums[kThreadsPerBlock];
  sums[threadIdx.x] = value;
  __syncthreads();
  for (unsigned half = kThreadsPerBlock / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  return sums[0];
}

} // namespace

// The SplitMix64 generator: https://prng.di.unimi.it/splitmix64.c
__global__ void fill_uniform(float *values, float scale,
                             unsigned long long seed, int count) {
  int i = element();
  if (i >= count)
    return;
  unsigned long long z =
      seed * 0xD1342543DE82EF95ULL + (i + 1ULL) * 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  z ^= z >> 31;
  float unit = static_cast<float>(z >> 40) * 0x1p-24F;
  values[i] = scale * (2.0F * unit - 1.0F);
}

__global__ void make_targets(const float *inputs, float *targets, int width,
                             int count) {
  int i = element();
  if (i >= count)
    return;
  int feature = i % width;
  int next = i - feature + (feature + 1) % width;
  targets[i] = sinf(2.0F * inputs[i]) + 0.5F * inputs[next];
}

__global__ void bias_gelu_forward(float *pre_activation, const float *bias,
                                  float *activation, int width, int count) {
  int i = element();
  if (i >= count)
    return;
  float x = pre_activation[i] + bias[i % width];
  pre_activation[i] = x;
  activation[i] = x * normal_cdf(x);
}

__global__ void bias_forward(float *values, const float *bias, int width,
                             int count) {
  int i = element();
  if (i < count)
    values[i] += bias[i % width];
}

__global__ void mse_partials(const float *output, const float *target,
                             float *delta, float *partials, int count) {
  float scale = 2.0F / static_cast<float>(count);
  float sum = 0.0F;
  int stride = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = element(); i < count; i += stride) {
    float error = output[i] - target[i];
    delta[i] = scale * error;
    sum += error * error;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0)
    partials[blockIdx.x] = sum;
}

__global__ void mse_total(const float *partials, float *loss, int count) {
  float sum = block_sum(threadIdx.x < kLossBlocks ? partials[threadIdx.x] : 0);
  if (threadIdx.x == 0)
    *loss = sum / static_cast<float>(count);
}

__global__ void gelu_backward(const float *pre_activation, float *delta,
                              int count) {
  int i = element();
  if (i >= count)
    return;
  float x = pre_activation[i];
  float density = kInvSqrtTwoPi * expf(-0.5F * x * x);
  delta[i] *= normal_cdf(x) + x * density;
}

__global__ void bias_backward(const float *delta, float *bias_gradient,
                              int width, int batch) {
  int feature = element();
  if (feature >= width)
    return;
  float sum = 0.0F;
  for (int sample = 0; sample < batch; ++sample)
    sum += delta[feature + sample * width];
  bias_gradient[feature] = sum;
}

__global__ void sgd_update(float *values, const float *gradient,
                           float learning_rate, int count) {
  int i = element();
  if (i < count)
    values[i] -= learning_rate * gradient[i];
}
