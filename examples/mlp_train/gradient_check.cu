// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gradient_check.h"
#include "model.h"
#include "reference.h"

#include <algorithm>
#include <cmath>

namespace {

constexpr Shape kSmall = {48, 3, 20};
/// Largest error allowed, relative to the largest element of the gradient.
/// Sums of some 50 products of floats err by a few times 6e-8.
constexpr double kTolerance = 1e-5;

std::vector<double> to_double(const DeviceBuffer &buffer) {
  std::vector<float> host = buffer.download();
  return {host.begin(), host.end()};
}

bool agrees(const char *what, int layer, const std::vector<double> &actual,
            const std::vector<double> &expected) {
  double error = 0;
  double largest = 0;
  bool finite = true;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    finite = finite && std::isfinite(actual[i]);
    error = std::max(error, std::fabs(actual[i] - expected[i]));
    largest = std::max(largest, std::fabs(expected[i]));
  }
  bool good = finite && error <= kTolerance * largest;
  std::printf("layer %d %s: largest error %.1e of %.1e, %s\n", layer, what,
              error, largest, good ? "agrees" : "DIFFERS");
  return good;
}

} // namespace

bool check_gradients(unsigned long long seed) {
  cudaStream_t stream = nullptr;
  Batch batch(kSmall, seed, stream);
  Model model(kSmall, seed, stream);
  model.forward(batch);
  model.compute_loss(batch);
  model.backward(batch);

  Parameters parameters;
  for (const Layer &layer : model.layers()) {
    parameters.weights.push_back(to_double(layer.weight));
    parameters.biases.push_back(to_double(layer.bias));
  }
  ReferenceResult expected =
      reference_gradients(parameters, kSmall.width, kSmall.batch,
                          to_double(batch.inputs), to_double(batch.targets));

  float loss = 0.0F;
  CUDA_CHECK(
      cudaMemcpy(&loss, model.loss(), sizeof(loss), cudaMemcpyDeviceToHost));
  bool good = std::fabs(loss - expected.loss) <= kTolerance * expected.loss;
  std::printf("loss %.7f, reference %.7f, %s\n", loss, expected.loss,
              good ? "agrees" : "DIFFERS");
  for (int l = 0; l < kSmall.layers; ++l) {
    const Layer &layer = model.layers()[l];
    good &= agrees("weight gradient", l, to_double(layer.weight_gradient),
                   expected.gradients.weights[l]);
    good &= agrees("bias gradient", l, to_double(layer.bias_gradient),
                   expected.gradients.biases[l]);
  }
  return good;
}
