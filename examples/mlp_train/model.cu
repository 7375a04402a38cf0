// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels.cuh"
#include "model.h"

#include <cmath>

Layer::Layer(const Shape &shape)
    : weight(std::size_t(shape.width) * shape.width), bias(shape.width),
      weight_gradient(weight.size()), bias_gradient(shape.width),
      pre_activation(std::size_t(shape.width) * shape.batch),
      activation(pre_activation.size()), delta(pre_activation.size()) {}

Batch::Batch(const Shape &shape, unsigned long long seed, cudaStream_t stream)
    : inputs(std::size_t(shape.width) * shape.batch), targets(inputs.size()) {
  int count = inputs.size();
  fill_uniform<<<blocks_for(count), kThreadsPerBlock, 0, stream>>>(
      inputs.data(), 1.0F, seed, count);
  make_targets<<<blocks_for(count), kThreadsPerBlock, 0, stream>>>(
      inputs.data(), targets.data(), shape.width, count);
  CUDA_CHECK(cudaGetLastError());
}

Model::Model(const Shape &shape, unsigned long long seed, cudaStream_t stream)
    : shape_(shape), stream_(stream), partials_(kLossBlocks), loss_(1) {
  CUBLAS_CHECK(cublasCreate(&cublas_));
  CUBLAS_CHECK(cublasSetStream(cublas_, stream));
  // GELU halves the variance of its input, hence the 2 in 2 / width.
  float scale = std::sqrt(3.0F * 2.0F / static_cast<float>(shape.width));
  for (int l = 0; l < shape.layers; ++l) {
    Layer &layer = layers_.emplace_back(shape);
    int count = layer.weight.size();
    fill_uniform<<<blocks_for(count), kThreadsPerBlock, 0, stream>>>(
        layer.weight.data(), scale, seed + 1 + l, count);
    CUDA_CHECK(cudaMemsetAsync(layer.bias.data(), 0,
                               layer.bias.size() * sizeof(float), stream));
  }
  CUDA_CHECK(cudaGetLastError());
}

Model::~Model() { cublasDestroy(cublas_); }

const float *Model::input_of(int l, const Batch &batch) const {
  return l == 0 ? batch.inputs.data() : layers_[l - 1].activation.data();
}

void Model::forward(const Batch &batch) {
  const float one = 1.0F;
  const float zero = 0.0F;
  const int width = shape_.width;
  for (int l = 0; l < shape_.layers; ++l) {
    Layer &layer = layers_[l];
    int count = layer.pre_activation.size();
    // pre_activation = weight * input
    CUBLAS_CHECK(cublasSgemm(cublas_, CUBLAS_OP_N, CUBLAS_OP_N, width,
                             shape_.batch, width, &one, layer.weight.data(),
                             width, input_of(l, batch), width, &zero,
                             layer.pre_activation.data(), width));
    if (l + 1 < shape_.layers)
      bias_gelu_forward<<<blocks_for(count), kThreadsPerBlock, 0, stream_>>>(
          layer.pre_activation.data(), layer.bias.data(),
          layer.activation.data(), width, count);
    else
      bias_forward<<<blocks_for(count), kThreadsPerBlock, 0, stream_>>>(
          layer.pre_activation.data(), layer.bias.data(), width, count);
  }
  CUDA_CHECK(cudaGetLastError());
}

void Model::compute_loss(const Batch &batch) {
  Layer &last = layers_.back();
  int count = last.pre_activation.size();
  mse_partials<<<kLossBlocks, kThreadsPerBlock, 0, stream_>>>(
      last.pre_activation.data(), batch.targets.data(), last.delta.data(),
      partials_.data(), count);
  mse_total<<<1, kThreadsPerBlock, 0, stream_>>>(partials_.data(), loss_.data(),
                                                 count);
  CUDA_CHECK(cudaGetLastError());
}

void Model::backward(const Batch &batch) {
  const float one = 1.0F;
  const float zero = 0.0F;
  const int width = shape_.width;
  for (int l = shape_.layers - 1; l >= 0; --l) {
    Layer &layer = layers_[l];
    int count = layer.delta.size();
    if (l + 1 < shape_.layers)
      gelu_backward<<<blocks_for(count), kThreadsPerBlock, 0, stream_>>>(
          layer.pre_activation.data(), layer.delta.data(), count);
    // weight_gradient = delta * transpose(input)
    CUBLAS_CHECK(cublasSgemm(cublas_, CUBLAS_OP_N, CUBLAS_OP_T, width, width,
                             shape_.batch, &one, layer.delta.data(), width,
                             input_of(l, batch), width, &zero,
                             layer.weight_gradient.data(), width));
    bias_backward<<<blocks_for(width), kThreadsPerBlock, 0, stream_>>>(
        layer.delta.data(), layer.bias_gradient.data(), width, shape_.batch);
    if (l > 0) {
      // delta of the layer before = transpose(weight) * delta
      CUBLAS_CHECK(cublasSgemm(cublas_, CUBLAS_OP_T, CUBLAS_OP_N, width,
                               shape_.batch, width, &one, layer.weight.data(),
                               width, layer.delta.data(), width, &zero,
                               layers_[l - 1].delta.data(), width));
    }
  }
  CUDA_CHECK(cudaGetLastError());
}

void Model::update(float learning_rate) {
  for (Layer &layer : layers_) {
    sgd_update<<<blocks_for(layer.weight.size()), kThreadsPerBlock, 0,
                 stream_>>>(layer.weight.data(), layer.weight_gradient.data(),
                            learning_rate, layer.weight.size());
    sgd_update<<<blocks_for(layer.bias.size()), kThreadsPerBlock, 0, stream_>>>(
        layer.bias.data(), layer.bias_gradient.data(), learning_rate,
        layer.bias.size());
  }
  CUDA_CHECK(cudaGetLastError());
}
