// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options.h"

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>

const char *usage() {
  return R"(usage: mlp_train [options]

Trains a multi-layer perceptron (GELU, mean-square loss, SGD) on synthetic data
on the GPU. Prints the losses on stdout and the timing on stderr.

  --width N           features of the input, each layer and the output (1024)
  --layers N          layers (4)
  --batch N           samples a step (128)
  --steps N           training steps (100)
  --lr X              learning rate (0.5)
  --seed N            seed of weights and data (1)
  --loss WHEN         print     copy the loss back and print it, each step
                      deferred  the same, but copy asynchronously and print the
                                loss once it has arrived
                      every=N   like print, each Nth step only
                      none      print only the final loss
  --spin N            keep the CPU busy for N microseconds more in each step,
                      for comparisons with a known difference (0)
  --check-gradients   compare the gradients of a small model with a CPU
                      reference in double precision instead of training
  --help              this text
)";
}

namespace {

[[noreturn]] void reject(const std::string &sentence) {
  throw std::invalid_argument(sentence);
}

int parse_int(const std::string &option, const std::string &text, int limit) {
  char *end = nullptr;
  errno = 0;
  long value = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || errno != 0 || value < 1 || value > limit)
    reject(option + " takes a whole number from 1 to " + std::to_string(limit) +
           ", not '" + text + "'.");
  return static_cast<int>(value);
}

unsigned long long parse_seed(const std::string &text) {
  char *end = nullptr;
  errno = 0;
  unsigned long long value = std::strtoull(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || errno != 0 || text[0] == '-')
    reject("--seed takes a whole number from 0, not '" + text + "'.");
  return value;
}

float parse_learning_rate(const std::string &text) {
  char *end = nullptr;
  float value = std::strtof(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(value) || value <= 0)
    reject("--lr takes a number above 0, not '" + text + "'.");
  return value;
}

void parse_loss(const std::string &text, Options &options) {
  const std::string every = "every=";
  if (text == "print") {
    options.loss_mode = LossMode::Print;
  } else if (text == "deferred") {
    options.loss_mode = LossMode::Deferred;
  } else if (text == "none") {
    options.loss_mode = LossMode::None;
  } else if (text.compare(0, every.size(), every) == 0) {
    options.loss_mode = LossMode::Every;
    options.loss_every =
        parse_int("--loss every=N", text.substr(every.size()), 100000);
  } else {
    reject("--loss takes print, deferred, every=N or none, not '" + text +
           "'.");
  }
}

void set_option(const std::string &name, const std::string &value,
                Options &options) {
  if (name == "--width")
    options.width = parse_int(name, value, 16384);
  else if (name == "--layers")
    options.layers = parse_int(name, value, 1000);
  else if (name == "--batch")
    options.batch = parse_int(name, value, 65536);
  else if (name == "--steps")
    options.steps = parse_int(name, value, 100000);
  else if (name == "--spin")
    options.spin_us = parse_int(name, value, 1000000);
  else if (name == "--lr")
    options.learning_rate = parse_learning_rate(value);
  else if (name == "--seed")
    options.seed = parse_seed(value);
  else
    parse_loss(value, options);
}

bool takes_value(const std::string &name) {
  for (const char *known : {"--width", "--layers", "--batch", "--steps", "--lr",
                            "--seed", "--loss", "--spin"})
    if (name == known)
      return true;
  return false;
}

} // namespace

Options parse_options(int argc, const char *const *argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    std::string name = argv[i];
    if (name == "--help" || name == "-h") {
      options.help = true;
      continue;
    }
    if (name == "--check-gradients") {
      options.check_gradients = true;
      continue;
    }
    // Both --width 128 and --width=128.
    std::string::size_type equals = name.find('=');
    std::string value;
    if (equals != std::string::npos) {
      value = name.substr(equals + 1);
      name.resize(equals);
    }
    if (!takes_value(name))
      reject("unknown option '" + name + "'; --help lists the options.");
    if (equals == std::string::npos) {
      if (++i == argc)
        reject(name + " needs a value; --help lists the options.");
      value = argv[i];
    }
    set_option(name, value, options);
  }
  return options;
}
