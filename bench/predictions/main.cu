// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs one case and prints the time per step, one line per run:
//
//     before 81250.4
//     after 68012.9
#include "case.h"

#include <cerrno>
#include <cstring>

namespace {

struct Named {
  const char *name;
  Case run;
};

const Named cases[] = {
    {"residual_late", residual_late},
    {"residual_tenth", residual_tenth},
    {"device_sync", device_sync},
    {"step_timing", step_timing},
    {"free_async", free_async},
    {"scratch_reuse", scratch_reuse},
    {"thrust_sum", thrust_sum},
    {"blas_norm", blas_norm},
    {"pageable_upload", pageable_upload},
    {"hand_over", hand_over},
    {"side_work", side_work},
    {"busy_behind", busy_behind},
    {"two_threads", two_threads},
    {"graph_10", graph_10},
    {"graph_50", graph_50},
    {"graph_200", graph_200},
    {"launches_50", launches_50},
    {"launches_300", launches_300},
    {"upload_1m_async", upload_1m_async},
    {"upload_7m_async", upload_7m_async},
    {"upload_32m_async", upload_32m_async},
    {"upload_7m_pinned", upload_7m_pinned},
    {"upload_32m_pinned", upload_32m_pinned},
    {"download_8m_pinned", download_8m_pinned},
    {"two_reads_10", two_reads_10},
    {"two_reads_50", two_reads_50},
    {"read_sync_10", read_sync_10},
    {"read_sync_50", read_sync_50},
};

int usage(std::FILE *out) {
  std::fputs("usage: pairs CASE before|after|both [STEPS [ROUNDS]]\n\n"
             "Prints the nanoseconds that a step of CASE takes with a "
             "synchronization in it\n(before) and without (after): the mean of "
             "STEPS steps (1000), ROUNDS times (1).\n\ncases:\n",
             out);
  for (const Named &named : cases)
    std::fprintf(out, "  %s\n", named.name);
  return out == stdout ? 0 : 2;
}

/// A whole number from `least` to a million, or 0.
int number(const char *text, int least) {
  char *end = nullptr;
  errno = 0;
  long value = std::strtol(text, &end, 10);
  if (*text == '\0' || *end != '\0' || errno != 0 || value < least ||
      value > 1000000)
    return 0;
  return static_cast<int>(value);
}

void run(Case chosen, bool before, int steps) {
  std::printf("%s %.1f\n", before ? "before" : "after", chosen(before, steps));
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  if (argc == 2 && std::strcmp(argv[1], "--help") == 0)
    return usage(stdout);
  if (argc < 3 || argc > 5)
    return usage(stderr);
  Case chosen = nullptr;
  for (const Named &named : cases)
    if (std::strcmp(named.name, argv[1]) == 0)
      chosen = named.run;
  bool both = std::strcmp(argv[2], "both") == 0;
  bool before = both || std::strcmp(argv[2], "before") == 0;
  bool after = both || std::strcmp(argv[2], "after") == 0;
  int steps = argc > 3 ? number(argv[3], 10) : 1000;
  int rounds = argc > 4 ? number(argv[4], 1) : 1;
  if (!chosen || !(before || after) || steps == 0 || rounds == 0) {
    std::fprintf(stderr, "pairs: no such case or form, or a number that is not "
                         "whole, below 10 steps or above a million.\n");
    return usage(stderr);
  }
  int devices = 0;
  cudaError_t status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess) {
    std::fprintf(stderr, "pairs: needs an NVIDIA GPU and its driver: %s.\n",
                 cudaGetErrorString(status));
    return 1;
  }
  for (int round = 0; round < rounds; ++round) {
    if (before)
      run(chosen, true, steps);
    if (after)
      run(chosen, false, steps);
  }
  return 0;
}
