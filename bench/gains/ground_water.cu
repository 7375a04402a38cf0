// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The level of ground water around wells, by implicit steps that the method of
// conjugate gradients solves. Before: cuBLAS returns two products per iteration
// to the host, which tests the residual. After: the products stay on the GPU,
// and the host reads the residual in every tenth iteration.
#include "gains.h"

namespace {

constexpr int kSide = 512;
constexpr int kCells = kSide * kSide;
constexpr int kMostIterations = 200;
constexpr int kInterval = 10;
constexpr float kFlow = 20.0F;
constexpr float kTolerance = 1e-8F; // Of the square of the residual.

// The level outside is 0.
__global__ void apply(const float *level, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % kSide, y = i / kSide;
  float around = (x > 0 ? level[i - 1] : 0.0F) +
                 (x < kSide - 1 ? level[i + 1] : 0.0F) +
                 (y > 0 ? level[i - kSide] : 0.0F) +
                 (y < kSide - 1 ? level[i + kSide] : 0.0F);
  out[i] = level[i] + kFlow * (4.0F * level[i] - around);
}

// The right side of a step, and the residual of its first guess.
__global__ void start(const float *level, const float *applied, int step,
                      float *residual, float *way) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float pumped = i == (step % 300 + 100) * kSide + 200 ? -1.0F : 1e-4F;
  residual[i] = level[i] + pumped - applied[i];
  way[i] = residual[i];
}

struct Scalars {
  float square, last_square, product, step, back, turn, one;
};

__global__ void find_step(Scalars *scalars) {
  scalars->step = scalars->square / scalars->product;
  scalars->back = -scalars->step;
  scalars->last_square = scalars->square;
}

__global__ void find_turn(Scalars *scalars) {
  scalars->turn = scalars->square / scalars->last_square;
}

class Solver {
public:
  explicit Solver(bool before) : before_(before) {
    CUBLAS_CHECK(cublasCreate(&blas_));
    if (!before)
      CUBLAS_CHECK(cublasSetPointerMode(blas_, CUBLAS_POINTER_MODE_DEVICE));
  }
  Solver(const Solver &) = delete;
  Solver &operator=(const Solver &) = delete;
  ~Solver() { cublasDestroy(blas_); }

  void solve(int step) {
    Scalars host = {0, 0, 0, 0, 0, 0, 1};
    Scalars *scalars = before_ ? &host : scalars_;
    apply<<<kCells / 256, 256>>>(level_, applied_);
    start<<<kCells / 256, 256>>>(level_, applied_, step, residual_, way_);
    multiply(residual_, residual_, &scalars->square);
    for (int iteration = 1; iteration <= kMostIterations; ++iteration) {
      apply<<<kCells / 256, 256>>>(way_, applied_);
      multiply(way_, applied_, &scalars->product);
      if (before_) {
        host.step = host.square / host.product;
        host.back = -host.step;
        host.last_square = host.square;
      } else {
        find_step<<<1, 1>>>(scalars);
      }
      add(&scalars->step, way_, level_);
      add(&scalars->back, applied_, residual_);
      multiply(residual_, residual_, &scalars->square);
      if (!before_ && iteration % kInterval == 0)
        CUDA_CHECK(cudaMemcpy(&host.square, &scalars->square, sizeof(float),
                              cudaMemcpyDeviceToHost));
      if ((before_ || iteration % kInterval == 0) && host.square < kTolerance)
        break;
      if (before_)
        host.turn = host.square / host.last_square;
      else
        find_turn<<<1, 1>>>(scalars);
      CUBLAS_CHECK(cublasSscal(blas_, kCells, &scalars->turn, way_, 1));
      add(&scalars->one, residual_, way_);
    }
  }

  double sum() const {
    std::vector<float> level(kCells);
    CUDA_CHECK(cudaMemcpy(level.data(), level_, kCells * sizeof(float),
                          cudaMemcpyDeviceToHost));
    double sum = 0.0;
    for (float value : level)
      sum += value;
    return sum;
  }

private:
  void multiply(const float *a, const float *b, float *product) {
    CUBLAS_CHECK(cublasSdot(blas_, kCells, a, 1, b, 1, product));
  }

  void add(const float *factor, const float *from, float *to) {
    CUBLAS_CHECK(cublasSaxpy(blas_, kCells, factor, from, 1, to, 1));
  }

  bool before_;
  cublasHandle_t blas_ = nullptr;
  DeviceArray<float> level_{std::vector<float>(kCells, 1.0F)};
  DeviceArray<float> applied_{kCells}, residual_{kCells}, way_{kCells};
  DeviceArray<Scalars> scalars_{std::vector<Scalars>(1, {0, 0, 0, 0, 0, 0, 1})};
};

} // namespace

Outcome ground_water(bool before, int steps) {
  Solver solver(before);
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    solver.solve(step);
  }
  double step_ns = clock.step_ns();
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, solver.sum() / kCells};
}
