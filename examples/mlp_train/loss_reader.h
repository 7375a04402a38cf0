// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MLP_TRAIN_LOSS_READER_H
#define MLP_TRAIN_LOSS_READER_H

#include "cuda_check.h"
#include "options.h"

#include <array>

/// Copies the loss of each step from the GPU and prints it, in the order of the
/// steps. LossMode determines which steps, and whether the CPU waits for the
/// GPU; Print and Deferred print the same lines.
class LossReader {
public:
  /// `device_loss` is where each step stores its loss on `stream`.
  LossReader(const Options &options, const float *device_loss,
             cudaStream_t stream);
  LossReader(const LossReader &) = delete;
  LossReader &operator=(const LossReader &) = delete;
  ~LossReader();

  /// To be called once the work of `step` has been queued.
  void after_step(int step);
  /// Waits for the losses that are still outstanding, and prints them.
  void finish();

private:
  /// Number of losses in flight. A GPU's launch queue holds fewer steps, so
  /// that the ring does not limit how far the CPU runs ahead.
  static constexpr int kSlots = 1024;

  void print_loss(int step);
  void queue_loss();
  void print_ready_losses();
  void wait_for_oldest();
  void print_oldest();

  LossMode mode_;
  int every_;
  const float *device_loss_;
  cudaStream_t stream_;
  float *ring_ = nullptr; ///< kSlots floats in pinned host memory.
  std::array<cudaEvent_t, kSlots> arrived_ = {};
  int queued_ = 0;  ///< Losses whose copy has been queued.
  int printed_ = 0; ///< Losses printed from the ring.
};

#endif // MLP_TRAIN_LOSS_READER_H
