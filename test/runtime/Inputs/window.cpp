// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program of 120 steps with one launch each, through the driver that is
// there; argv[1] says what is around the steps. A launch before the steps and
// one behind them belong to none.
#include <autoprof/probe.h>

#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cudaProfiler.h>
#include <nvtx3/nvToolsExt.h>
#include <string>
#include <thread>
#include <unistd.h>

extern "C" int cudaMemcpy(void *, const void *, size_t, int);

static void launch() {
  cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
}

static void step() {
  AP_RANGE(0x00000000000000aa)
  AP_SITE(0x00000000000000bb) launch();
}

static void train(int steps) {
  for (int i = 0; i < steps; ++i) {
    AP_RANGE(0x00000000000000cc)
    step();
  }
}

int main(int, char **argv) {
  auto is = [argv](const char *what) { return strcmp(argv[1], what) == 0; };
  if (!is("no-cuda-yet")) {
    cuInit(0);
    step();
  }
  if (is("steps")) {
    train(120);
  } else if (is("threads")) { // Only the first thread's steps are steps.
    train(5);
    std::thread(train, 100).join();
    train(115);
  } else if (is("nvtx")) {
    for (int i = 0; i < 120; ++i) {
      nvtxRangePushA(("epoch " + std::to_string(i / 10)).c_str());
      nvtxRangePushA("batch");
      launch();
      nvtxRangePop();
      launch();
      nvtxRangePop();
    }
  } else if (is("started")) {
    for (int i = 0; i < 120; ++i) {
      nvtxRangeId_t id = nvtxRangeStartA("batch");
      launch();
      std::thread([id] { nvtxRangeEnd(id); }).join();
      launch();
    }
  } else if (is("profiler")) {
    train(5);
    cuProfilerStart();
    train(7);
    cuProfilerStop();
    train(5);
    cuProfilerStart();
    train(2);
    cuProfilerStop();
  } else if (is("slow")) {
    for (int i = 0; i < 120; ++i) {
      train(1);
      usleep(10000);
    }
  } else if (is("copies")) {
    for (int i = 0; i < 20; ++i) {
      train(1);
      cudaMemcpy(nullptr, nullptr, 0, 0); // Calls the driver's.
      cuMemcpyHtoD(0, nullptr, 0);
    }
    std::thread([] { cudaMemcpy(nullptr, nullptr, 0, 0); }).join();
  } else if (is("endless")) {
    for (;;) {
      train(1);
      usleep(10000);
    }
  } else if (is("no-cuda-yet")) {
    sleep(60);
  } else {
    return 2;
  }
  step();
  return 5;
}

AP_TABLE("0x00000000000000aa|function|22|1|src/window.cpp|step|;"
         "0x00000000000000bb|launch|24|3|src/window.cpp|step|launch;"
         "0x00000000000000cc|loop|28|3|src/window.cpp|train|;")
