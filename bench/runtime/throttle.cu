// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures what throttling costs and saves, on a GPU machine (throttle.sh): a
// million short iterations on the host, of which every 10,000th launches a
// kernel through a call without a probe, as libraries do. Prints nanoseconds
// per iteration that does not launch, and per launch before the loop and after
// it, when CUPTI calls back at launches if ranges are throttled.
#include <autoprof/probe.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

__global__ void empty() {}

static long long now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static double launchNs() {
  const int bursts = 200, launches = 500;
  std::vector<double> cost;
  for (int i = 0; i < bursts; ++i) {
    long long start = now();
    for (int j = 0; j < launches; ++j)
      empty<<<1, 1>>>();
    cost.push_back(double(now() - start) / launches);
    cudaDeviceSynchronize();
  }
  std::sort(cost.begin(), cost.end());
  return cost[cost.size() / 2];
}

int main() {
  const int iterations = 1000000, every = 10000;
  if (cudaFree(nullptr) != cudaSuccess) {
    fprintf(stderr, "throttle: CUDA does not work here\n");
    return 2;
  }
  const double before = launchNs();
  volatile int sum = 0;
  long long launching = 0, start = now();
  for (int i = 1; i <= iterations; ++i) {
    AP_RANGE(0x0000000000000002)
    sum = sum + i;
    if (i % every == 0) {
      long long begin = now();
      empty<<<1, 1>>>();
      launching += now() - begin;
    }
  }
  const long long loop = now() - start - launching;
  cudaDeviceSynchronize();
  printf("%8.1f %8.0f %8.0f\n", double(loop) / iterations, before, launchNs());
  return 0;
}

AP_TABLE("0x0000000000000002|loop|47|3|throttle.cu|main|;")
