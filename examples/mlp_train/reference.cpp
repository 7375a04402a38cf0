// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reference.h"

#include <cmath>
#include <cstddef>

namespace {

using Matrix = std::vector<double>;

const double kSqrtHalf = std::sqrt(0.5);
const double kInvSqrtTwoPi = 1.0 / std::sqrt(2.0 * std::acos(-1.0));

double normal_cdf(double x) { return 0.5 * (1.0 + std::erf(x * kSqrtHalf)); }

double gelu(double x) { return x * normal_cdf(x); }

double gelu_derivative(double x) {
  return normal_cdf(x) + x * kInvSqrtTwoPi * std::exp(-0.5 * x * x);
}

/// weight * input + bias, for each sample.
Matrix affine(const Matrix &weight, const Matrix &bias, const Matrix &input,
              int width, int batch) {
  Matrix out(input.size());
  for (int s = 0; s < batch; ++s)
    for (int o = 0; o < width; ++o) {
      double sum = bias[o];
      for (int i = 0; i < width; ++i)
        sum += weight[o + i * width] * input[i + s * width];
      out[o + s * width] = sum;
    }
  return out;
}

/// Adds one layer's share to the gradients: delta * transpose(input), and the
/// sum of delta over the batch.
void accumulate(const Matrix &delta, const Matrix &input, int width, int batch,
                Matrix &weight_gradient, Matrix &bias_gradient) {
  for (int s = 0; s < batch; ++s)
    for (int o = 0; o < width; ++o) {
      bias_gradient[o] += delta[o + s * width];
      for (int i = 0; i < width; ++i)
        weight_gradient[o + i * width] +=
            delta[o + s * width] * input[i + s * width];
    }
}

/// transpose(weight) * delta, for each sample.
Matrix propagate(const Matrix &weight, const Matrix &delta, int width,
                 int batch) {
  Matrix out(delta.size());
  for (int s = 0; s < batch; ++s)
    for (int i = 0; i < width; ++i) {
      double sum = 0;
      for (int o = 0; o < width; ++o)
        sum += weight[o + i * width] * delta[o + s * width];
      out[i + s * width] = sum;
    }
  return out;
}

} // namespace

ReferenceResult reference_gradients(const Parameters &parameters, int width,
                                    int batch, const Matrix &inputs,
                                    const Matrix &targets) {
  const std::size_t layers = parameters.weights.size();
  std::vector<Matrix> layer_inputs = {inputs};
  std::vector<Matrix> pre_activations;
  for (std::size_t l = 0; l < layers; ++l) {
    pre_activations.push_back(affine(parameters.weights[l],
                                     parameters.biases[l], layer_inputs[l],
                                     width, batch));
    Matrix activation = pre_activations[l];
    for (double &x : activation)
      x = gelu(x);
    layer_inputs.push_back(activation);
  }

  ReferenceResult result = {};
  const Matrix &output = pre_activations.back();
  const double count = static_cast<double>(output.size());
  Matrix delta(output.size());
  for (std::size_t i = 0; i < output.size(); ++i) {
    double error = output[i] - targets[i];
    result.loss += error * error / count;
    delta[i] = 2.0 * error / count;
  }

  for (const Matrix &weight : parameters.weights)
    result.gradients.weights.emplace_back(weight.size());
  for (const Matrix &bias : parameters.biases)
    result.gradients.biases.emplace_back(bias.size());
  for (std::size_t l = layers; l-- > 0;) {
    if (l + 1 < layers)
      for (std::size_t i = 0; i < delta.size(); ++i)
        delta[i] *= gelu_derivative(pre_activations[l][i]);
    accumulate(delta, layer_inputs[l], width, batch,
               result.gradients.weights[l], result.gradients.biases[l]);
    delta = propagate(parameters.weights[l], delta, width, batch);
  }
  return result;
}
