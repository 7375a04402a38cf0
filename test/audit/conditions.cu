// Values that are read back for a condition of several parts, and copies into
// pinned memory that a wait completes.
// RUN: %check_rules
#include <cmath>
#include <cstdio>

__global__ void step(float *x) { *x += 1; }

void both(float *x, float limit, int most) {
  float error = 1;
  int i = 0;
  while (error > limit && i < most) {
    step<<<1, 1>>>(x);
    cudaMemcpy(&error, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control high
    if (i % 10 == 0)
      printf("%d: %f\n", i, error);
    ++i;
  }
}

void either(float *x, float limit, int n) {
  for (int i = 0; i < n; ++i) {
    float error;
    step<<<1, 1>>>(x);
    cudaMemcpy(&error, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control high
    if (i == 1000 || !(std::fabs(error) > limit))
      break;
  }
}

void chosen(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    int more;
    cudaMemcpy(&more, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control high
    if (n > 3 && (i > 5 || more))
      step<<<1, 1>>>(x);
  }
}

// The usual form of NVIDIA's samples: the wait is where the host stands still.
void pinned(float *x, cudaStream_t s, float limit, int most) {
  float *error;
  cudaMallocHost(&error, 4);
  *error = 1;
  for (int i = 0; *error > limit && i < most; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaMemcpyAsync(error, x, 4, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); // expect: autoprof-readback-steers-control high
  }
  cudaFreeHost(error);
}
void printed(float *x, cudaStream_t s, int n) {
  float *loss;
  cudaMallocHost(&loss, 4);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaMemcpyAsync(loss, x, 4, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); // expect: autoprof-readback-printed high
    printf("%f\n", *loss);
  }
  cudaFreeHost(loss);
}
