/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions of glibc newer than 2.28 that Debian 12's LLVM and GCC libraries
 * use, for programs that run with 2.28 (cmake/AutoprofPortable.cmake). The
 * numbers are the versions of glibc that introduced them. */
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <sys/random.h>
#include <time.h>

enum { Second = 1000000000 };

/* 2.32. Always false, so that reference counts are always atomic. */
char __libc_single_threaded = 0;

/* 2.36; for libstdc++'s std::random_device. */
uint32_t arc4random(void) {
  uint32_t Value = 0;
  while (getrandom(&Value, sizeof Value, 0) != (ssize_t)sizeof Value)
    continue;
  return Value;
}

/* Converts `Deadline` of `Clock` to CLOCK_REALTIME, the only clock that the
 * waits of 2.28 support. */
static struct timespec realTime(clockid_t Clock,
                                const struct timespec *Deadline) {
  struct timespec Now, Result;
  clock_gettime(Clock, &Now);
  clock_gettime(CLOCK_REALTIME, &Result);
  Result.tv_sec += Deadline->tv_sec - Now.tv_sec;
  Result.tv_nsec += Deadline->tv_nsec - Now.tv_nsec;
  if (Result.tv_nsec < 0) {
    Result.tv_nsec += Second;
    --Result.tv_sec;
  } else if (Result.tv_nsec >= Second) {
    Result.tv_nsec -= Second;
    ++Result.tv_sec;
  }
  return Result;
}

/* 2.30. */
int pthread_cond_clockwait(pthread_cond_t *Condition, pthread_mutex_t *Mutex,
                           clockid_t Clock, const struct timespec *Deadline) {
  const struct timespec Time = realTime(Clock, Deadline);
  return pthread_cond_timedwait(Condition, Mutex, &Time);
}

/* 2.30. */
int sem_clockwait(sem_t *Semaphore, clockid_t Clock,
                  const struct timespec *Deadline) {
  const struct timespec Time = realTime(Clock, Deadline);
  return sem_timedwait(Semaphore, &Time);
}

/* 2.33; for LLVM's memory statistics. The old mallinfo counts in int. */
struct mallinfo2 mallinfo2(void) {
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  const struct mallinfo Old = mallinfo();
  const struct mallinfo2 Result = {
      (unsigned)Old.arena,    (unsigned)Old.ordblks,  (unsigned)Old.smblks,
      (unsigned)Old.hblks,    (unsigned)Old.hblkhd,   (unsigned)Old.usmblks,
      (unsigned)Old.fsmblks,  (unsigned)Old.uordblks, (unsigned)Old.fordblks,
      (unsigned)Old.keepcost,
  };
  return Result;
}
