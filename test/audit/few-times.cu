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
  int level = count - 1;
  for (; level > 0; --level) {
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

// Steps that are not `++i`, perhaps in the body.
static void steps(float *x, int unknown) {
  const int k = 4;
  for (int i = 0; i < 40; i = i + k) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
  }
  for (int i = 1; i < 4000; i = 2 * i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
  }
  for (int i = 40; i > 0; i = i - k) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
  }
  for (int i = 1; i < 4000; i <<= 1) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
  }
  for (int i = 0, j = 0; i < 10; ++j, ++i) {
    step<<<1, 1>>>(x + j);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
  }
  int i = 0;
  while (i < 10) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    i = i + 1;
  }
  int j = 0;
  do {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    j += 2;
  } while (j < 20);
  // By an unknown step, twice, not in each iteration, or in the condition.
  for (int i = 0; i < 40; i = i + unknown) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  }
  for (int i = 0; i < 40; i = i / 2 + k) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  }
  int m = 0;
  while (m < 10) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    if (unknown)
      continue;
    m = m + 1;
  }
  int n = 0;
  while (n < 10) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    n += 3;
    n -= unknown;
  }
  int o = 10;
  while (o-- > 0 || unknown) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    o = o + 1;
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
