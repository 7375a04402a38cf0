// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trains a multi-layer perceptron on synthetic data. The losses go to stdout
// and depend only on the seed; the timing goes to stderr.
#include "gradient_check.h"
#include "loss_reader.h"
#include "model.h"
#include "options.h"
#include "step_timer.h"

#include <cstdio>
#include <stdexcept>

static void train_step(Model &model, const Batch &batch, float learning_rate) {
  model.forward(batch);
  model.compute_loss(batch);
  model.backward(batch);
  model.update(learning_rate);
}

static void train(const Options &options, cudaStream_t stream) {
  Shape shape = {options.width, options.layers, options.batch};
  Batch batch(shape, options.seed, stream);
  Model model(shape, options.seed, stream);
  LossReader losses(options, model.loss(), stream);
  StepTimer timer(options.steps, stream);

  timer.start();
  for (int step = 0; step < options.steps; ++step) {
    train_step(model, batch, options.learning_rate);
    losses.after_step(step);
    spin(options.spin_us);
    timer.step_queued();
  }
  timer.report();
  losses.finish();

  float final_loss = 0.0F;
  CUDA_CHECK(cudaMemcpy(&final_loss, model.loss(), sizeof(final_loss),
                        cudaMemcpyDeviceToHost));
  std::printf("final loss %.7f after %d steps\n", final_loss, options.steps);
}

static bool find_gpu() {
  int count = 0;
  cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess)
    return true;
  std::fprintf(stderr,
               "mlp_train: needs an NVIDIA GPU and its driver, and CUDA finds "
               "none: %s (%s).\n",
               cudaGetErrorString(status), cudaGetErrorName(status));
  return false;
}

int main(int argc, char **argv) {
  Options options;
  try {
    options = parse_options(argc, argv);
  } catch (const std::invalid_argument &error) {
    std::fprintf(stderr, "mlp_train: %s\n", error.what());
    return 2;
  }
  if (options.help) {
    std::fputs(usage(), stdout);
    return 0;
  }
  if (!find_gpu())
    return 1;
  if (options.check_gradients)
    return check_gradients(options.seed) ? 0 : 1;
  cudaStream_t stream = nullptr;
  CUDA_CHECK(cudaStreamCreate(&stream));
  train(options, stream);
  CUDA_CHECK(cudaStreamDestroy(stream));
  return 0;
}
