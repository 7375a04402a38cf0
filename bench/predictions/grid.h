// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PREDICTIONS_GRID_H
#define PREDICTIONS_GRID_H

#include "case.h"

/// A square grid on the GPU that is smoothed in sweeps: work that fills the
/// GPU, about 10 us per sweep of 2048 x 2048 on an H200.
class Grid {
public:
  Grid(int side, cudaStream_t stream);
  Grid(const Grid &) = delete;
  Grid &operator=(const Grid &) = delete;
  ~Grid();

  /// Launches one kernel per sweep.
  void sweep(int times);
  /// Adds `source`, count() floats on the GPU, to the grid.
  void add(const float *source, int count);
  /// Stores the sum of the squared changes of the last sweep in `sum`.
  void residual(float *sum);

  const float *values() const { return values_; }
  int count() const { return side_ * side_; }

private:
  int side_;
  cudaStream_t stream_;
  float *values_ = nullptr;
  float *previous_ = nullptr;
};

/// Integrates `blocks` * 256 oscillators: work that leaves most of the GPU
/// idle, about 5 us for 1000 substeps on an H200.
void integrate(float2 *oscillators, int blocks, int substeps,
               cudaStream_t stream);

/// Creates `blocks` * 256 oscillators at rest; the caller frees them.
float2 *make_oscillators(int blocks);

#endif // PREDICTIONS_GRID_H
