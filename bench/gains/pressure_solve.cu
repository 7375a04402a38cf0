// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pressure of a flow whose inflow is controlled: solve() reads the pressure
// at the outlet, smooth() the greatest change, for its relaxation factor, and
// norm() the residual. Before: all three read in each step. After: the residual
// is read in every tenth step; the other two are still needed.
#include "gains.h"

#include <algorithm>
#include <cmath>

namespace {

constexpr int kSide = 1024;
constexpr int kCells = kSide * kSide;
constexpr int kSweeps = 4;
constexpr int kInterval = 10;

// Successive over-relaxation of the cells of one color of a checkerboard. The
// pressure at the walls is 0.
__global__ void relax(float *pressure, const float *source, int color,
                      float factor, unsigned *greatest) {
  int pair = blockIdx.x * blockDim.x + threadIdx.x;
  int y = pair / (kSide / 2), x = pair % (kSide / 2) * 2 + (y + color) % 2;
  float change = 0.0F;
  if (x > 0 && x < kSide - 1 && y > 0 && y < kSide - 1) {
    int i = y * kSide + x;
    float wanted =
        0.25F * (pressure[i - 1] + pressure[i + 1] + pressure[i - kSide] +
                 pressure[i + kSide] + source[i]);
    change = factor * (wanted - pressure[i]);
    pressure[i] += change;
  }
  change = fabsf(change);
  for (int lane = 16; lane > 0; lane /= 2)
    change = fmaxf(change, __shfl_down_sync(0xffffffffU, change, lane));
  if (threadIdx.x % 32 == 0)
    atomicMax(greatest, __float_as_uint(change));
}

__global__ void add_residual(const float *pressure, const float *source,
                             double *square) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % kSide, y = i / kSide;
  float residual = 0.0F;
  if (x > 0 && x < kSide - 1 && y > 0 && y < kSide - 1)
    residual = source[i] + pressure[i - 1] + pressure[i + 1] +
               pressure[i - kSide] + pressure[i + kSide] - 4 * pressure[i];
  double sum = block_sum(static_cast<double>(residual) * residual);
  if (threadIdx.x == 0)
    atomicAdd(square, sum);
}

__global__ void inject(float *source, float inflow) {
  source[(kSide / 4 + threadIdx.x) * kSide + kSide / 8] = inflow;
}

__global__ void probe(const float *pressure, float *mean) {
  float sum =
      block_sum(pressure[(kSide / 4 + threadIdx.x) * kSide + kSide / 8 + 32]);
  if (threadIdx.x == 0)
    *mean = sum / 256;
}

class Solver {
public:
  explicit Solver(bool before) : before_(before) {}

  void solve(int step, bool last) {
    inject<<<1, 256>>>(source_, inflow_);
    smooth(step, last);
    probe<<<1, 256>>>(pressure_, outlet_);
    float outlet = 0.0F;
    CUDA_CHECK(
        cudaMemcpy(&outlet, outlet_, sizeof(outlet), cudaMemcpyDeviceToHost));
    inflow_ += 5e-5F * (1.0F - outlet);
    history_ += inflow_;
  }

  /// The mean inflow and residual of `count` steps.
  double result(int count) const { return (history_ + residuals_) / count; }

private:
  void smooth(int step, bool last) {
    CUDA_CHECK(cudaMemsetAsync(greatest_, 0, sizeof(unsigned)));
    for (int sweep = 0; sweep < 2 * kSweeps; ++sweep)
      relax<<<kCells / 2 / 256, 256>>>(pressure_, source_, sweep % 2, factor_,
                                       greatest_);
    norm(step, last);
    CUDA_CHECK(cudaMemcpyAsync(change_, greatest_, sizeof(float),
                               cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaStreamSynchronize(nullptr));
    // Less when the changes grow.
    factor_ = *change_ > 1.05F * last_change_ ? std::max(1.0F, factor_ - 0.05F)
                                              : std::min(1.9F, factor_ + 0.01F);
    last_change_ = *change_;
  }

  void norm(int step, bool last) {
    int slot = step % kInterval;
    CUDA_CHECK(cudaMemsetAsync(squares_ + slot, 0, sizeof(double)));
    add_residual<<<kCells / 256, 256>>>(pressure_, source_, squares_ + slot);
    double squares[kInterval];
    if (before_)
      read(squares, slot, 1);
    else if (slot == kInterval - 1 || last)
      read(squares, 0, slot + 1);
  }

  void read(double *squares, int first, int count) {
    CUDA_CHECK(cudaMemcpy(squares, squares_ + first, count * sizeof(double),
                          cudaMemcpyDeviceToHost));
    for (int i = 0; i < count; ++i)
      residuals_ += std::sqrt(squares[i]);
  }

  bool before_;
  float inflow_ = 0.01F, factor_ = 1.0F, last_change_ = 0.0F;
  double history_ = 0.0, residuals_ = 0.0;
  DeviceArray<float> pressure_{kCells}, source_{kCells}, outlet_{1};
  DeviceArray<unsigned> greatest_{1};
  DeviceArray<double> squares_{kInterval};
  PinnedArray<float> change_{1};
};

} // namespace

Outcome pressure_solve(bool before, int steps) {
  Solver solver(before);
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    solver.solve(step, step == clock.count() - 1);
  }
  double step_ns = clock.step_ns();
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, solver.result(clock.count())};
}
