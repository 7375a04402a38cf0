// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop whose CPU computes between two launches, in a function that calls
// another one. Its line numbers are in native-sampler.test.
#include <cstdlib>
#include <cuda.h>
#include <ctime>

static double seconds() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

static volatile unsigned sink;

__attribute__((noinline)) static void sortParticles() {
  for (const double end = seconds() + 0.006; seconds() < end;)
    for (unsigned i = 0; i < 20000; ++i)
      sink = sink + i;
}

__attribute__((noinline)) static void prepare() {
  sortParticles();
  sink = sink + 1;
}

int main(int argc, char **argv) {
  cuInit(0);
  for (int i = 0; i < (argc > 1 ? atoi(argv[1]) : 10); ++i) {
    cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
    prepare();
    const timespec time = {0, 3000000};
    nanosleep(&time, nullptr);
  }
}
