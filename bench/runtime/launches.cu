// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nanoseconds a launch costs the thread that issues it: empty kernels in
// bursts that fit the launch queue, each with a probe; and what a wait costs
// that has nothing to wait for. `launches BURSTS WAITS` prints the medians over
// the bursts. run.sh runs it plain and under the runtime's modes in turn.
#include <autoprof/probe.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

__global__ void empty() {}

static long long now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void burst(int launches) {
  AP_RANGE(0x0000000000000002)
  for (int j = 0; j < launches; ++j)
    AP_SITE(0x0000000000000001) empty<<<1, 1>>>();
}

static double wait(int waits) {
  long long start = now();
  for (int j = 0; j < waits; ++j)
    AP_SITE(0x0000000000000003) cudaStreamSynchronize(0);
  return double(now() - start) / waits;
}

int main(int argc, char **argv) {
  const int bursts = argc > 1 ? atoi(argv[1]) : 200, launches = 500;
  const int waitCount = argc > 2 ? atoi(argv[2]) : 100;
  std::vector<double> cost, waits;
  for (int i = 0; i < bursts + 20; ++i) {
    long long start = now();
    burst(launches);
    long long end = now();
    if (cudaDeviceSynchronize() != cudaSuccess) {
      fprintf(stderr, "launches: CUDA does not work here\n");
      return 2;
    }
    if (i >= 20) { // The first ones load the module and warm up.
      cost.push_back(double(end - start) / launches);
      waits.push_back(waitCount > 0 ? wait(waitCount) : 0);
    }
  }
  std::sort(cost.begin(), cost.end());
  std::sort(waits.begin(), waits.end());
  printf("%.1f %.1f\n", cost[cost.size() / 2], waits[waits.size() / 2]);
  return 0;
}

AP_TABLE("0x0000000000000001|launch|25|5|launches.cu|burst|empty;"
         "0x0000000000000002|function|22|1|launches.cu|burst|;"
         "0x0000000000000003|sync|31|5|launches.cu|wait|cudaStreamSynchronize;")
