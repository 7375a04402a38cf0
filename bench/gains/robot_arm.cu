// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trains a network that moves a robot's arm; gradients that are too long are
// shortened. Before: cuBLAS returns the length of the gradient to the host,
// which computes the rate of the step. After: cuBLAS leaves it on the GPU.
#include "gains.h"

namespace {

constexpr int kBatch = 512;
constexpr int kSensors = 128, kHidden = 256, kMotors = 32;
constexpr int kFirst = kHidden * kSensors, kSecond = kMotors * kHidden;
constexpr int kWeights = kFirst + kSecond;
constexpr float kRate = 0.02F, kLongest = 0.5F;

__global__ void sense(float *sensed, unsigned step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sensed[i] = 2.0F * uniform(step * kBatch * kSensors + i) - 1.0F;
}

__global__ void squash(float *values) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = tanhf(values[i]);
}

// The wanted move depends on four sensors. `moves` become the errors.
__global__ void compare(const float *sensed, float *moves, double *loss) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sample = i / kMotors, motor = i % kMotors;
  const float *mine = sensed + sample * kSensors + 4 * motor;
  float error = moves[i] - __sinf(mine[0] + mine[1]) * mine[2] - 0.5F * mine[3];
  moves[i] = 2.0F / kBatch * error;
  float square = block_sum(error * error);
  if (threadIdx.x == 0)
    atomicAdd(loss, static_cast<double>(square) / kBatch);
}

__global__ void through_squash(const float *hidden, float *errors) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  errors[i] *= 1.0F - hidden[i] * hidden[i];
}

__host__ __device__ float rate_for(float length) {
  return length > kLongest ? kRate * kLongest / length : kRate;
}

__global__ void update(float *weights, const float *gradient, float rate) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  weights[i] -= rate * gradient[i];
}

__global__ void update_limited(float *weights, const float *gradient,
                               const float *length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  weights[i] -= rate_for(*length) * gradient[i];
}

/// Products of matrices that are stored by columns.
class Products {
public:
  Products() { CUBLAS_CHECK(cublasCreate(&blas_)); }
  Products(const Products &) = delete;
  Products &operator=(const Products &) = delete;
  ~Products() { cublasDestroy(blas_); }

  operator cublasHandle_t() const { return blas_; }

  /// A `rows` by `columns` matrix from two with `inner` columns and rows.
  void multiply(const float *a, bool a_turned, const float *b, bool b_turned,
                int rows, int columns, int inner, float *out) {
    float one = 1.0F, zero = 0.0F;
    CUBLAS_CHECK(cublasSgemm(blas_, a_turned ? CUBLAS_OP_T : CUBLAS_OP_N,
                             b_turned ? CUBLAS_OP_T : CUBLAS_OP_N, rows,
                             columns, inner, &one, a, a_turned ? inner : rows,
                             b, b_turned ? columns : inner, &zero, out, rows));
  }

private:
  cublasHandle_t blas_ = nullptr;
};

} // namespace

Outcome robot_arm(bool before, int steps) {
  std::vector<float> start = uniform_values(kWeights, 3);
  for (float &weight : start)
    weight = 0.2F * weight - 0.1F;
  DeviceArray<float> weights(start), gradient(kWeights), length_on_gpu(1);
  DeviceArray<float> sensed(kBatch * kSensors), hidden(kBatch * kHidden);
  DeviceArray<float> errors(kBatch * kHidden), moves(kBatch * kMotors);
  DeviceArray<double> loss(1);
  float *first = weights, *second = weights + kFirst;
  Products blas;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    sense<<<kBatch * kSensors / 256, 256>>>(sensed, step);
    blas.multiply(first, false, sensed, false, kHidden, kBatch, kSensors,
                  hidden);
    squash<<<kBatch * kHidden / 256, 256>>>(hidden);
    blas.multiply(second, false, hidden, false, kMotors, kBatch, kHidden,
                  moves);
    compare<<<kBatch * kMotors / 256, 256>>>(sensed, moves, loss);
    blas.multiply(moves, false, hidden, true, kMotors, kHidden, kBatch,
                  gradient + kFirst);
    blas.multiply(second, true, moves, false, kHidden, kBatch, kMotors, errors);
    through_squash<<<kBatch * kHidden / 256, 256>>>(hidden, errors);
    blas.multiply(errors, false, sensed, true, kHidden, kSensors, kBatch,
                  gradient);
    if (before) {
      float length = 0.0F;
      CUBLAS_CHECK(cublasSnrm2(blas, kWeights, gradient, 1, &length));
      update<<<kWeights / 256, 256>>>(weights, gradient, rate_for(length));
    } else {
      CUBLAS_CHECK(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
      CUBLAS_CHECK(cublasSnrm2(blas, kWeights, gradient, 1, length_on_gpu));
      CUBLAS_CHECK(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_HOST));
      update_limited<<<kWeights / 256, 256>>>(weights, gradient, length_on_gpu);
    }
  }
  double step_ns = clock.step_ns(), sum = 0.0;
  CUDA_CHECK(cudaMemcpy(&sum, loss, sizeof(sum), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, sum / clock.count()};
}
