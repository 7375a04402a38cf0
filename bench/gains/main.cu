// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs one program and prints the time per step, and to stderr the result:
//
//     before 81250.4
//     before result 0.693147
#include "gains.h"

#include <cstring>

namespace {

struct Named {
  const char *name;
  Program run;
};

#define GAINS_NAMED(name) {#name, name},
const Named programs[] = {GAINS_PROGRAMS(GAINS_NAMED)};
#undef GAINS_NAMED

int usage(std::FILE *out) {
  std::fputs("usage: gains PROGRAM before|after [STEPS]\n\n"
             "Prints the nanoseconds that a step of PROGRAM takes: the mean of "
             "STEPS steps\n(1000; 10 or more).\n\nprograms:\n",
             out);
  for (const Named &named : programs)
    std::fprintf(out, "  %s\n", named.name);
  return out == stdout ? 0 : 2;
}

} // namespace

int main(int argc, char **argv) {
  if (argc == 2 && std::strcmp(argv[1], "--help") == 0)
    return usage(stdout);
  if (argc != 3 && argc != 4)
    return usage(stderr);
  Program run = nullptr;
  for (const Named &named : programs)
    if (std::strcmp(named.name, argv[1]) == 0)
      run = named.run;
  bool before = std::strcmp(argv[2], "before") == 0;
  bool after = std::strcmp(argv[2], "after") == 0;
  int steps = argc > 3 ? std::atoi(argv[3]) : 1000;
  if (!run || !(before || after) || steps < 10)
    return usage(stderr);
  Outcome outcome = run(before, steps);
  std::fprintf(stderr, "%s result %.9g\n", argv[2], outcome.result);
  std::printf("%s %.1f\n", argv[2], outcome.step_ns);
  return 0;
}
