// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MLP_TRAIN_REFERENCE_H
#define MLP_TRAIN_REFERENCE_H

#include <vector>

/// The parameters of the model, or the gradients of the loss by them: for each
/// layer a column-major [width x width] weight and a bias of width elements.
struct Parameters {
  std::vector<std::vector<double>> weights;
  std::vector<std::vector<double>> biases;
};

struct ReferenceResult {
  double loss;
  Parameters gradients;
};

/// The model of model.h on the CPU, in double precision and as plain loops.
/// `inputs` and `targets` are column-major [width x batch].
ReferenceResult reference_gradients(const Parameters &parameters, int width,
                                    int batch,
                                    const std::vector<double> &inputs,
                                    const std::vector<double> &targets);

#endif // MLP_TRAIN_REFERENCE_H
