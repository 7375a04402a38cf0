// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MLP_TRAIN_OPTIONS_H
#define MLP_TRAIN_OPTIONS_H

/// When the loss of a step is read back and printed.
enum class LossMode {
  Print,    ///< Every step, with a copy that waits for the GPU.
  Deferred, ///< Every step, copied asynchronously and printed when it is there.
  Every,    ///< Like Print, but only every Nth step.
  None,     ///< Never.
};

struct Options {
  int width = 1024; ///< Features of the input, of each layer and of the output.
  int layers = 4;
  int batch = 128; ///< Samples per step.
  int steps = 100;
  unsigned long long seed = 1;
  float learning_rate = 0.5F;
  LossMode loss_mode = LossMode::Print;
  int loss_every = 1;
  int spin_us = 0; ///< Microseconds of CPU work that are added to each step.
  bool check_gradients = false;
  bool help = false;
};

/// Parses the command line. Throws std::invalid_argument, whose what() is one
/// sentence for the user, if it is invalid.
Options parse_options(int argc, const char *const *argv);

/// The text of --help.
const char *usage();

#endif // MLP_TRAIN_OPTIONS_H
