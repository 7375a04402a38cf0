/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The API for programs: which part of a run is recorded, where a step ends, and
 * ranges and marks of the program's own (docs/api.md).
 *
 * Nothing is linked: the runtime finds the program as it finds probes (see
 * probe.h), whenever it comes into the process. Without it each call is one
 * load and one branch. C90 with GNU extensions, C++11 and later, nvcc; every
 * function may be called by any thread at any time (start, stop and step not in
 * signal handlers), never throws, and leaves errno alone.
 *
 * Each returns 1 if a recorder is in the process, and 0 if there is none. */
#ifndef AUTOPROF_AUTOPROF_H
#define AUTOPROF_AUTOPROF_H
#pragma GCC system_header

#include "probe.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Not for use: what the functions below have in common. */
static __inline__ __attribute__((unused)) int
autoprof_ask(enum autoprof_request what, const char *name) {
  const struct autoprof_hooks *hooks =
      __atomic_load_n(&autoprof_hooks_v1, 2 /* acquire */);
  if (__builtin_expect(hooks == 0, 1))
    return 0;
  /* A runtime older than this header has no such entry. */
  if (hooks->size < sizeof(struct autoprof_hooks))
    return 0;
  return hooks->control(what, name);
}

/** Starts and stops recording, from this call on; what it is that is recorded
 * is said to `autoprof run`. Other options on the part of the run to record
 * have no effect any more. To begin without: `autoprof run --capture=manual`.
 */
static __inline__ __attribute__((unused)) int autoprof_start(void) {
  return autoprof_ask(AUTOPROF_START, 0);
}
static __inline__ __attribute__((unused)) int autoprof_stop(void) {
  return autoprof_ask(AUTOPROF_STOP, 0);
}

/** A step of the program ends here, and the next begins. Call it once in each
 * iteration, on one thread. Steps are counted by `autoprof run --steps`, and
 * are in reports as `--step=range:step`. */
static __inline__ __attribute__((unused)) int autoprof_step(void) {
  return autoprof_ask(AUTOPROF_STEP, 0);
}

/** A range that ends with the matching autoprof_range_pop() on the same thread;
 * they nest. `name` is UTF-8, copied, and cut at 1,000 bytes. Other NVTX tools
 * see it, too. */
static __inline__ __attribute__((unused)) int
autoprof_range_push(const char *name) {
  return autoprof_ask(AUTOPROF_RANGE_PUSH, name);
}
static __inline__ __attribute__((unused)) int autoprof_range_pop(void) {
  return autoprof_ask(AUTOPROF_RANGE_POP, 0);
}

/** A mark on the calling thread's track. `name` as above. */
static __inline__ __attribute__((unused)) int autoprof_mark(const char *name) {
  return autoprof_ask(AUTOPROF_MARK, name);
}

/** Writes what a ring (`autoprof run --max-size`) holds into a file beside the
 * trace, NAME.dump1.pftrace and so on, within 0.2 seconds; recording goes on.
 * Returns 0 also if there is no ring. */
static __inline__ __attribute__((unused)) int autoprof_dump(void) {
  return autoprof_ask(AUTOPROF_DUMP, 0);
}

#ifdef __cplusplus
} /* extern "C" */
#endif

/* Has the runtime find this unit's module, also if it has no probes. */
AP_TABLE("")

#endif /* AUTOPROF_AUTOPROF_H */
