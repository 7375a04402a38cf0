// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host loops; argv[1] says which. `long`: a million short iterations, of which
// the 500,000th holds a site. `nested`: an inner loop of 10 in an outer one; in
// the 30,000th outer iteration the 7th inner one holds a site, in the next one
// the 9th.
#include <autoprof/probe.h>

#include <cstdlib>
#include <cstring>

static volatile int sum = 0;

static void work() { AP_SITE(0x00000000000000bb) sum = sum + 1; }

static void longLoop() {
  AP_RANGE(0x00000000000000aa)
  for (int i = 1; i <= 1000000; ++i) {
    AP_RANGE(0x00000000000000cc)
    sum = sum + i;
    if (i == 500000)
      work();
  }
}

static void nested() {
  AP_RANGE(0x00000000000000dd)
  for (int i = 1; i <= 60000; ++i) {
    AP_RANGE(0x00000000000000ee)
    for (int j = 1; j <= 10; ++j) {
      AP_RANGE(0x00000000000000ff)
      sum = sum + j;
      if ((i == 30000 && j == 7) || (i == 30001 && j == 9))
        work();
    }
  }
}

int main(int, char **argv) {
  if (!strcmp(argv[1], "long"))
    longLoop();
  else
    nested();
  return 0;
}

AP_TABLE("0x00000000000000aa|function|17|13|throttle.cpp|longLoop|;"
         "0x00000000000000bb|copy|14|20|throttle.cpp|work|cudaMemcpy;"
         "0x00000000000000cc|loop|19|3|throttle.cpp|longLoop|;"
         "0x00000000000000dd|function|27|13|throttle.cpp|nested|;"
         "0x00000000000000ee|loop|29|3|throttle.cpp|nested|;"
         "0x00000000000000ff|loop|31|5|throttle.cpp|nested|;")
