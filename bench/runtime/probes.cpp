// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the nanoseconds that a probe and a range cost the program: medians
// over 25 rounds. probes.sh runs it without the runtime,
// outside a window and inside one; no GPU is needed.
#include <autoprof/probe.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

static long long now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static int value(int i) { return i; }

static double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

int main() {
  const int rounds = 25, calls = 100000;
  std::vector<double> sites, ranges;
  volatile int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    long long start = now();
    for (int i = 0; i < calls; ++i)
      AP_SITE(0x0000000000000001) sum = value(i);
    long long site = now();
    for (int i = 0; i < calls; ++i) {
      AP_RANGE(0x0000000000000002)
      sum = value(i);
    }
    long long range = now();
    sites.push_back(double(site - start) / calls);
    ranges.push_back(double(range - site) / calls);
    timespec pause = {0, 30000000}; // Time to write the records.
    nanosleep(&pause, nullptr);
  }
  printf("%8.1f %8.1f\n", median(sites), median(ranges));
  return 0;
}

AP_TABLE("0x0000000000000001|copy|33|7|probes.cpp|main|value;"
         "0x0000000000000002|function|36|7|probes.cpp|main|;")
