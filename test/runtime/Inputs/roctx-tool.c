/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A library with the ABI of AMD's roctx (rocprofiler-sdk-roctx/roctx.h), which
 * prints what it is called with. */
#include <stdint.h>
#include <stdio.h>

static _Thread_local int depth;

int roctxRangePushA(const char *message) {
  fprintf(stderr, "%*s%s\n", 2 * depth, "", message);
  return depth++;
}

int roctxRangePop(void) {
  --depth;
  fprintf(stderr, "%*send\n", 2 * depth, "");
  return depth;
}

void roctxMarkA(const char *message) { fprintf(stderr, "mark %s\n", message); }

uint64_t roctxRangeStartA(const char *message) {
  static uint64_t last;
  fprintf(stderr, "start %s\n", message);
  return last++;
}

void roctxRangeStop(uint64_t range) {
  fprintf(stderr, "stop %d\n", (int)range);
}
