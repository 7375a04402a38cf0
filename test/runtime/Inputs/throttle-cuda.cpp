// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop of 60,000 short iterations of which every 2,000th launches, by a call
// without a probe, as libraries do. Halfway there is time to get ready for it.
#include <autoprof/probe.h>

#include <cuda.h>
#include <unistd.h>

static volatile int sum = 0;

int main() {
  cuInit(0);
  for (int i = 1; i <= 60000; ++i) {
    AP_RANGE(0x00000000000000cc)
    sum = sum + i;
    if (i == 30000)
      usleep(500000);
    if (i % 2000 == 0)
      cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
  }
  return 0;
}

AP_TABLE("0x00000000000000cc|loop|14|3|throttle-cuda.cpp|main|;")
