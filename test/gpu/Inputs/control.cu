// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CUDA program for test/gpu/control.sh: 60 steps of one kernel of 2 ms and
// ten empty ones. argv[1]: "wait" reads back in every step, "ahead" only at
// the end, so that the CPU is far ahead of the GPU when a window closes.
// argv[2] says how it ends.
#include "check.h"

#include <autoprof/probe.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_profiler_api.h>
#include <thread>
#include <unistd.h>

__global__ void spin(long long ns, float *out) {
  keepBusy(ns);
  if (out)
    *out += 1;
}

__global__ void small() {}

static float host;
static float *device;

static void step(bool waits) {
  AP_RANGE(0x0000000000000001)
  AP_SITE(0x0000000000000002) spin<<<1, 1>>>(2000000, device);
  for (int i = 0; i < 10; ++i)
    small<<<1, 1>>>();
  if (waits) {
    AP_SITE(0x0000000000000003)
    cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
  }
  CHECK(cudaGetLastError());
}

int main(int argc, char **argv) {
  auto is = [&](const char *what) {
    return argc > 2 && strcmp(argv[2], what) == 0;
  };
  bool waits = argc < 2 || strcmp(argv[1], "wait") == 0;
  CHECK(cudaMalloc(&device, sizeof *device));
  CHECK(cudaMemset(device, 0, sizeof *device));
  const int steps = is("long") ? 3000 : 60;
  for (int i = 0; i < steps; ++i) {
    if (is("profiler") && (i == 10 || i == 30))
      CHECK(cudaProfilerStart());
    step(waits);
    if (is("profiler") && (i == 14 || i == 34))
      CHECK(cudaProfilerStop());
  }
  CHECK(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost));
  printf("%.0f\n", host);
  fflush(stdout);
  if (is("reset"))
    CHECK(cudaDeviceReset());
  else if (is("quick-exit"))
    quick_exit(7);
  else if (is("_exit"))
    _exit(7);
  else if (is("exit-in-thread"))
    std::thread([] { exit(7); }).join();
  return 7;
}

AP_TABLE("0x0000000000000001|function|29|1|src/control.cu|step|;"
         "0x0000000000000002|launch|31|3|src/control.cu|step|spin;"
         "0x0000000000000003|copy|35|5|src/control.cu|step|cudaMemcpy;")
