// A value is read back in each iteration only to be shown.
// RUN: %check_rules
#include <cstdio>
#include <iostream>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t e = (call);                                                    \
    if (e != cudaSuccess) {                                                    \
      std::fprintf(stderr, "%s\n", cudaGetErrorString(e));                     \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

__global__ void step(float *x) { *x += 1; }

void train(float *d, int steps) {
  for (int i = 0; i < steps; ++i) {
    step<<<1, 1>>>(d);
    float loss;
    CHECK(cudaMemcpy(&loss, d, 4, cudaMemcpyDeviceToHost)); // expect: autoprof-readback-printed high
    std::printf("step %d: %f\n", i, loss);
  }
}

void stream(float *d, int steps) {
  float losses[4];
  for (int i = 0; i < steps; ++i) {
    step<<<1, 1>>>(d);
    cudaMemcpy(losses, d, 16, cudaMemcpyDeviceToHost); // expect: autoprof-readback-printed
    double mean = 0;
    for (float loss : losses)
      mean += loss / 4;
    std::cout << "mean " << mean << '\n';
  }
}

// The value steers the loop: another rule's.
void converges(float *d, float limit) {
  float error = 1;
  while (error > limit) {
    step<<<1, 1>>>(d);
    cudaMemcpy(&error, d, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control
    std::printf("%f\n", error);
  }
}

// Read in a function, printed by its caller or by what it calls.
static float readLoss(const float *d) {
  float loss;
  cudaMemcpy(&loss, d, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-printed
  return loss;
}
static void report(float value) { std::printf("%f\n", value); }
void byCalls(float *d, int steps) {
  for (int i = 0; i < steps; ++i) {
    step<<<1, 1>>>(d);
    report(readLoss(d));
  }
}

// Printed after the loop: the copy is not for printing.
void last(float *d, int steps) {
  float loss = 0;
  for (int i = 0; i < steps; ++i) {
    step<<<1, 1>>>(d);
    cudaMemcpy(&loss, d, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous
  }
  std::printf("%f\n", loss);
}

// Something else is printed.
void other(float *d, float *h, int steps) {
  for (int i = 0; i < steps; ++i) {
    step<<<1, 1>>>(d);
    cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous
    std::printf("step %d\n", i);
  }
}

// Results of algorithms.
void sums(thrust::device_vector<float> &v, int steps) {
  for (int i = 0; i < steps; ++i) {
    step<<<1, 1>>>(thrust::raw_pointer_cast(v.data()));
    float sum = thrust::reduce(v.begin(), v.end()); // expect: autoprof-readback-printed
    std::printf("%f\n", sum);
  }
}

// Another caller uses the value.
namespace callers {
static float loss(float *d) {
  float h;
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high; autoprof-readback-printed high
  return h;
}
void prints(float *d, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(d);
    std::printf("%f\n", loss(d));
  }
}
float sums(float *d, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(d);
    sum += loss(d);
  }
  return sum;
}
} // namespace callers
