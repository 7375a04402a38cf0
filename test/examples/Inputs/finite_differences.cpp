// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference that --check-gradients trusts, against central differences of
// its own loss: the two share the forward pass only.
#include "reference.h"

#include <cmath>
#include <cstdio>
#include <random>

static constexpr int kWidth = 6;
static constexpr int kBatch = 4;
static constexpr int kLayers = 3;
static constexpr double kStep = 1e-5;

static std::mt19937_64 generator(1);

static std::vector<double> random_values(int count) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> values(count);
  for (double &value : values)
    value = uniform(generator);
  return values;
}

int main() {
  Parameters parameters;
  for (int l = 0; l < kLayers; ++l) {
    parameters.weights.push_back(random_values(kWidth * kWidth));
    parameters.biases.push_back(random_values(kWidth));
  }
  const std::vector<double> inputs = random_values(kWidth * kBatch);
  const std::vector<double> targets = random_values(kWidth * kBatch);
  auto run = [&] {
    return reference_gradients(parameters, kWidth, kBatch, inputs, targets);
  };
  const ReferenceResult result = run();

  double worst = 0;
  auto compare = [&](std::vector<double> &values,
                     const std::vector<double> &gradient) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double value = values[i];
      values[i] = value + kStep;
      const double above = run().loss;
      values[i] = value - kStep;
      const double below = run().loss;
      values[i] = value;
      const double expected = (above - below) / (2 * kStep);
      worst = std::fmax(worst, std::fabs(gradient[i] - expected));
    }
  };
  for (int l = 0; l < kLayers; ++l) {
    compare(parameters.weights[l], result.gradients.weights[l]);
    compare(parameters.biases[l], result.gradients.biases[l]);
  }
  std::printf("loss %g, largest error %g\n", result.loss, worst);
  return worst < 1e-8 && result.loss > 0 ? 0 : 1;
}
