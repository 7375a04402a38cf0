// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MLP_TRAIN_MODEL_H
#define MLP_TRAIN_MODEL_H

#include "device_buffer.h"

#include <vector>

struct Shape {
  int width;
  int layers;
  int batch;
};

/// One fully connected layer: its parameters, their gradients, and the values
/// that the forward pass keeps for the backward pass.
struct Layer {
  explicit Layer(const Shape &shape);

  DeviceBuffer weight; ///< [width x width], output features by input features.
  DeviceBuffer bias;   ///< [width]
  DeviceBuffer weight_gradient;
  DeviceBuffer bias_gradient;
  DeviceBuffer pre_activation; ///< [width x batch]
  DeviceBuffer activation;     ///< [width x batch]
  DeviceBuffer delta;          ///< d loss / d pre_activation, [width x batch]
};

/// Inputs and targets of one batch, [width x batch] each, made on the GPU.
struct Batch {
  Batch(const Shape &shape, unsigned long long seed, cudaStream_t stream);

  DeviceBuffer inputs;
  DeviceBuffer targets;
};

/// A multi-layer perceptron: GELU after each layer but the last, mean-square
/// loss. All work is queued on `stream`; no member waits for it.
class Model {
public:
  Model(const Shape &shape, unsigned long long seed, cudaStream_t stream);
  Model(const Model &) = delete;
  Model &operator=(const Model &) = delete;
  ~Model();

  void forward(const Batch &batch);
  /// Requires forward(batch). Computes the loss and the gradient of the output.
  void compute_loss(const Batch &batch);
  /// Requires compute_loss(batch). Computes the gradients of all parameters.
  void backward(const Batch &batch);
  void update(float learning_rate);

  /// The last loss, in device memory.
  const float *loss() const { return loss_.data(); }
  const std::vector<Layer> &layers() const { return layers_; }

private:
  /// The input of layer `l`: the output of the previous layer, or the inputs.
  const float *input_of(int l, const Batch &batch) const;

  Shape shape_;
  cudaStream_t stream_;
  cublasHandle_t cublas_ = nullptr;
  std::vector<Layer> layers_;
  DeviceBuffer partials_;
  DeviceBuffer loss_;
};

#endif // MLP_TRAIN_MODEL_H
