// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MLP_TRAIN_GRADIENT_CHECK_H
#define MLP_TRAIN_GRADIENT_CHECK_H

/// Runs one step of a small model on the GPU and compares its loss and each
/// gradient with the CPU reference. Prints one line for each on stdout; returns
/// true if all agree.
bool check_gradients(unsigned long long seed);

#endif // MLP_TRAIN_GRADIENT_CHECK_H
