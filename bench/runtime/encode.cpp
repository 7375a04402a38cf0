// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the flush thread's time and the disk space for a launch with its
// call, its kernel and its probe; encode.sh builds and runs it. No GPU is
// needed: the records are fabricated.
#include "Fabricated.h"
#include "runtime/probes/Sites.h"
#include "runtime/support/Clock.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace autoprof::runtime;
using namespace fabricated;

int main(int Count, char **Arguments) {
  const uint32_t Turns = 5, Launches = 40'000, Rounds = 11;
  const bool Compressed = Count > 2 && !strcmp(Arguments[2], "compressed");
  addSites("0x00000000000000b1|launch|12|5|src/a.cu|train|step;");
  Layout Records;
  Layout::of(130001, Records);
  std::vector<double> Times;
  struct stat Status = {};
  for (uint32_t I = 0; I < Rounds; ++I) {
    unlink(Arguments[1]);
    Output File;
    Compressor Packer;
    if (!File.open(Arguments[1]) || (Compressed && !Packer.open()))
      return 2;
    const uint64_t Zero = now();
    Trace T(File, identifyProcess(), Zero);
    if (Compressed)
      T.compress(Packer);
    ActivityDecoder D(T, Records, functionName, deviceAddress);
    const uint64_t Before = readClock(CLOCK_THREAD_CPUTIME_ID);
    launches(T, D, Zero, 0xb1, Turns, Launches, [&T] { T.flush(); });
    const uint64_t After = readClock(CLOCK_THREAD_CPUTIME_ID);
    Times.push_back(static_cast<double>(After - Before) / (Turns * Launches));
    File.close();
    stat(Arguments[1], &Status);
  }
  std::sort(Times.begin(), Times.end());
  printf("%-12s %6.1f bytes a launch %6.0f ns of CPU time (%.0f to %.0f)\n",
         Compressed ? "compressed" : "plain",
         static_cast<double>(Status.st_size) / (Turns * Launches),
         Times[Rounds / 2], Times.front(), Times.back());
  return 0;
}
