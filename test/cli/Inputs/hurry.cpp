// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second passes in a millisecond, so that a short read is a long one.
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern "C" int clock_gettime(clockid_t Clock, struct timespec *Time) {
  int Result = int(syscall(SYS_clock_gettime, Clock, Time));
  if (Clock == CLOCK_MONOTONIC && !Result) {
    long long Ns = Time->tv_sec % 1000000 * 1000000000LL + Time->tv_nsec;
    Time->tv_sec = Ns / 1000000;
    Time->tv_nsec = Ns % 1000000 * 1000;
  }
  return Result;
}
