// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program with probes and without CUDA: argv[1] says how it ends.
#include <autoprof/probe.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

static int step(int I) { return usleep(200), I + 1; }

static void onTerm(int) { _exit(42); }

int main(int argc, char **argv) {
  AP_RANGE(0x0000000000000001)
  const char *End = argc > 1 ? argv[1] : "0";
  int Sum = 0;
  for (int I = 0; I < 12; ++I) {
    AP_RANGE(0x0000000000000002)
    AP_SITE(0x0000000000000003) Sum = step(Sum);
  }
  std::printf("sum %d\n", Sum);
  std::fflush(stdout);
  if (!std::strcmp(End, "abort"))
    std::abort();
  if (!std::strcmp(End, "kill")) {
    sleep(1); // Let the recorder write what it has.
    raise(SIGKILL);
  }
  if (!std::strcmp(End, "wait-for-term")) {
    std::signal(SIGTERM, onTerm);
    std::puts("ready");
    std::fflush(stdout);
    sleep(20);
  }
  return std::atoi(End);
}

AP_TABLE("0x0000000000000001|function|16|5|probes.cpp|main|main;"
         "0x0000000000000002|loop|20|3|probes.cpp|main|for;"
         "0x0000000000000003|copy|22|5|probes.cpp|main|cudaMemcpy;")
#ifdef STEP
AP_TABLE("0x0000000000000004|step|0|0|||" STEP ";")
#endif
