// A loop between two readings of a clock that repeats the same work measures
// it. What stands in the loop itself is low; what it calls is what is measured.
// RUN: %check_rules
#include <chrono>
#include <cstdio>
#include <utility>

using Clock = std::chrono::steady_clock;
__global__ void step(float *x) { *x += 1; }
void show(Clock::time_point begin, Clock::time_point end);

void byHostClock(float *x, float *h, int repetitions) {
  auto begin = Clock::now();
  for (int i = 0; i < repetitions; ++i) {
    step<<<1, 1>>>(x);
    cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous medium
  }
  cudaDeviceSynchronize();
  auto end = Clock::now();
  show(begin, end);
}

void byEvents(float *x, cudaEvent_t begin, cudaEvent_t end, int repetitions) {
  cudaEventRecord(begin);
  for (int i = 0; i < repetitions; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
  }
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float ms;
  cudaEventElapsedTime(&ms, begin, end);
  printf("%f ms\n", ms / repetitions);
}

// A function that is measured counts.
static void work(float *x) {
  step<<<1, 1>>>(x);
  cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
}
void ofFunction(float *x, int repetitions) {
  auto begin = Clock::now();
  for (int i = 0; i < repetitions; ++i)
    work(x);
  auto end = Clock::now();
  show(begin, end);
}

// Iterations differ: work at hand, and no repetition.
void counts(float *x, int n) {
  auto begin = Clock::now();
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x + i);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
  }
  auto end = Clock::now();
  show(begin, end);
}
void swaps(float *x, float *y, int n) {
  auto begin = Clock::now();
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
    std::swap(x, y);
  }
  auto end = Clock::now();
  show(begin, end);
}
// The host uses each result.
void shown(float *x, int n) {
  auto begin = Clock::now();
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    float loss;
    cudaMemcpy(&loss, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-printed medium
    printf("%f\n", loss);
  }
  auto end = Clock::now();
  show(begin, end);
}
void converges(float *x, float tolerance) {
  auto begin = Clock::now();
  float error = 1;
  while (error > tolerance) {
    step<<<1, 1>>>(x);
    cudaMemcpy(&error, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control medium
  }
  auto end = Clock::now();
  show(begin, end);
}
// Nothing is measured.
void unmeasured(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
  }
}
// Other work is measured, too.
void mixed(float *x, int n) {
  auto begin = Clock::now();
  step<<<1, 1>>>(x);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
  }
  step<<<1, 1>>>(x);
  auto end = Clock::now();
  show(begin, end);
}

// Around a loop that measures its iterations.
static void measure(float *x, float *h, int repetitions) {
  for (int i = 0; i < repetitions; ++i) {
    cudaDeviceSynchronize(); // expect: autoprof-sync-for-timing low
    auto begin = Clock::now();
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-for-timing low
    show(begin, Clock::now());
  }
  cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous low
}
void measureAll(float *x, float *h, int n) {
  for (int i = 0; i < n; ++i)
    measure(x, h, 100);
}
