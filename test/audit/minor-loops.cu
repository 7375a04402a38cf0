// The time is in the loops that launch much, not in those that launch a tenth
// of that or, nested in another, a hundredth.
//
// RUN: %check_rules
#include <cuda_runtime.h>

__global__ void step(float *);

static void ten(float *x) {
  step<<<1, 1>>>(x);
  step<<<1, 1>>>(x);
  step<<<1, 1>>>(x);
  step<<<1, 1>>>(x);
  step<<<1, 1>>>(x);
  step<<<1, 1>>>(x);
  step<<<1, 1>>>(x);
  step<<<1, 1>>>(x);
  step<<<1, 1>>>(x);
  step<<<1, 1>>>(x);
}
static void hundred(float *x) {
  ten(x);
  ten(x);
  ten(x);
  ten(x);
  ten(x);
  ten(x);
  ten(x);
  ten(x);
  ten(x);
  ten(x);
}

// The program's work, also in a constructor; a nested loop may run long.
struct Search {
  Search(float *x, int n) {
    for (int i = 0; i < n; ++i) {
      hundred(x);
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
      for (int j = 0; j < n; ++j) {
        step<<<1, 1>>>(x);
        step<<<1, 1>>>(x);
        cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
      }
      for (int j = 0; j < n; ++j) {
        step<<<1, 1>>>(x);
        cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
      }
    }
  }
};

void fill(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
  }
}

// The first iteration is another one; the branch has most of the launches of
// the loop around it, which only finds out what to do.
static void generation(int number, float *x, int n) {
  if (number == 0) {
    for (int i = 0; i < n; ++i) {
      ten(x);
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    }
  } else {
    for (int i = 0; i < n; ++i) {
      ten(x);
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    }
  }
  ten(x);
}
int command();
int main() {
  float *x;
  const int n = command();
  cudaMalloc(&x, 64);
  fill(x, n);
  for (int i = 0; i < n; ++i)
    generation(i, x, n);
  while (int c = command())
    if (c == 'r')
      for (int i = 0; i < n; ++i) {
        hundred(x);
        cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
      }
  Search s(x, n);
}
