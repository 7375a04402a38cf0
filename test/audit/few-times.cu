// A loop that is known to go round a few times in the whole run cannot cost
// much, however its length is known.
// RUN: %check_rules
#include <cstdio>

__global__ void step(float *x) { *x += 1; }

// The only callers pass constants.
static void sweep(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
  }
}
static void levels(float *x, int count) {
  for (int level = count - 1; level > 0; --level) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
  }
}
static void threeTimes(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // as a loop that is written with 3
  }
}
static void passOn(float *x, int n) { sweep(x, n + 1); }

// One of the callers passes something else.
static void unknown(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  }
}
// The parameter does not keep its value.
static void grown(float *x, int n) {
  n *= 1000;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  }
}
// Few in each call, but called again and again.
static void often(float *x) {
  for (int i = 0; i < 8; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  }
}
// Somebody may call it through a pointer.
static void callback(float *x) {
  for (int i = 0; i < 8; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  }
}
void (*registered)(float *) = callback;

// Steps that are not `++i`.
static void steps(float *x, int unknown) {
  const int k = 4;
  for (int i = 0; i < 40; i += k) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
  }
  for (int i = 40; i > 0; i -= k) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
  }
  for (int i = 0, j = 0; i < 10; ++j, ++i) {
    step<<<1, 1>>>(x + j);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
  }
  // By an unknown step, or twice.
  for (int i = 0; i < 40; i += unknown) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  }
  for (int i = 0; i < 10; i += 3) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    i -= unknown;
  }
}

int main(int argc, char **argv) {
  float *x;
  cudaMalloc(&x, 64);
  const int count = 12;
  passOn(x, 6);
  levels(x, count);
  threeTimes(x, 3);
  unknown(x, 6);
  unknown(x, argc);
  grown(x, 3);
  for (int i = 0; i < argc; ++i)
    often(x);
  callback(x);
  for (char c = 0; c < 5; ++c) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
  }
  for (int i = 0; i < 100; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  }
  steps(x, argc);
  cudaFree(x);
}
