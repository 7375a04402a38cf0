// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program with steps and without CUDA: steps MICROSECONDS [COUNT [CODE]]
// sleeps so long in each step, and ends with that code. STEPS_PRINT in the
// environment is printed.
#include <autoprof/probe.h>

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

static void trainStep(unsigned Microseconds) {
  AP_RANGE(0x0000000000000001)
  usleep(Microseconds);
}

int main(int argc, char **argv) {
  const unsigned Microseconds = argc > 1 ? std::atoi(argv[1]) : 100;
  const int Count = argc > 2 ? std::atoi(argv[2]) : 60;
  for (int I = 0; I < Count; ++I) {
    AP_RANGE(0x0000000000000002)
    trainStep(Microseconds);
  }
  const char *Print = std::getenv("STEPS_PRINT");
  std::printf("done %s\n", Print ? Print : "");
  return argc > 3 ? std::atoi(argv[3]) : 0;
}

AP_TABLE("0x0000000000000001|function|11|1|steps.cpp|trainStep|trainStep;"
         "0x0000000000000002|loop|19|3|steps.cpp|main|for;")
