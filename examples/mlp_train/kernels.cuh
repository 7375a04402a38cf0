// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of the training step. Matrices are column-major, with one
// column per sample: feature f of sample s of a [width x batch] matrix is at
// f + s * width. Unless stated otherwise, a kernel runs one thread per
// element.
#ifndef MLP_TRAIN_KERNELS_CUH
#define MLP_TRAIN_KERNELS_CUH

constexpr int kThreadsPerBlock = 256;
/// Number of blocks of mse_partials, and so of the sums that mse_total adds.
constexpr int kLossBlocks = 128;

inline int blocks_for(int elements) {
  return (elements + kThreadsPerBlock - 1) / kThreadsPerBlock;
}

/// values[i] = a number in [-scale, scale) that depends only on seed and i.
__global__ void fill_uniform(float *values, float scale,
                             unsigned long long seed, int count);
/// A smooth function of the inputs for the model to learn.
__global__ void make_targets(const float *inputs, float *targets, int width,
                             int count);

/// pre_activation += bias; activation = GELU(pre_activation).
__global__ void bias_gelu_forward(float *pre_activation, const float *bias,
                                  float *activation, int width, int count);
/// values += bias.
__global__ void bias_forward(float *values, const float *bias, int width,
                             int count);

/// delta = d loss / d output, and each block's sum of squared errors. Launch
/// with kLossBlocks blocks.
__global__ void mse_partials(const float *output, const float *target,
                             float *delta, float *partials, int count);
/// loss = mean squared error. Launch with one block. Sums in a fixed order, so
/// the same inputs give the same bits in every run.
__global__ void mse_total(const float *partials, float *loss, int count);

/// delta *= GELU'(pre_activation).
__global__ void gelu_backward(const float *pre_activation, float *delta,
                              int count);
/// bias_gradient[f] = sum of delta[f] over the batch; one thread per feature.
__global__ void bias_backward(const float *delta, float *bias_gradient,
                              int width, int batch);

/// values -= learning_rate * gradient.
__global__ void sgd_update(float *values, const float *gradient,
                           float learning_rate, int count);

#endif // MLP_TRAIN_KERNELS_CUH
