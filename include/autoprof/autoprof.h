/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The API for programs: selects the part of a run to record, and states where a
 * step ends (docs/api.md).
 *
 * Nothing is linked: the runtime finds the program as it finds probes (see
 * probe.h), whenever it is loaded. Without it each call is one load and one
 * branch. The header compiles as C90 with GNU extensions, as C++11 and later,
 * and with nvcc. Every function may be called by any thread at any time, except
 * in signal handlers, never throws, and does not change errno.
 *
 * Each function returns 1 if a recorder is in the process, otherwise 0. */
#ifndef AUTOPROF_AUTOPROF_H
#define AUTOPROF_AUTOPROF_H
#pragma GCC system_header

#include "probe.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Implementation of the functions below; not part of the API. */
static __inline__ __attribute__((unused)) int
autoprof_ask(enum autoprof_request what) {
  const struct autoprof_hooks *hooks =
      __atomic_load_n(&autoprof_hooks_v1, 2 /* acquire */);
  if (__builtin_expect(hooks == 0, 1))
    return 0;
  /* A runtime older than this header has no such entry. */
  if (hooks->size < sizeof(struct autoprof_hooks))
    return 0;
  return hooks->control(what);
}

/** Start and stop recording; the options of `autoprof run` determine what is
 * recorded. From the first of these calls on, options that select a part of the
 * run have no effect. To start with recording off, use
 * `autoprof run --capture=manual`. */
static __inline__ __attribute__((unused)) int autoprof_start(void) {
  return autoprof_ask(AUTOPROF_START);
}
static __inline__ __attribute__((unused)) int autoprof_stop(void) {
  return autoprof_ask(AUTOPROF_STOP);
}

/** A step of the program ends here, and the next begins. Call it once in each
 * iteration, on one thread. `autoprof run --steps` counts these steps, and
 * reports use them, unless another step is named. */
static __inline__ __attribute__((unused)) int autoprof_step(void) {
  return autoprof_ask(AUTOPROF_STEP);
}

#ifdef __cplusplus
} /* extern "C" */
#endif

/* Lets the runtime find this unit's module even if it has no probes. */
AP_TABLE("")

#endif /* AUTOPROF_AUTOPROF_H */
