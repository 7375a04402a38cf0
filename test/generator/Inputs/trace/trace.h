/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What generated programs do that can be seen. It is found with -isystem, so
 * nothing in it is instrumented. Each call writes one line to the standard
 * output and enters a checksum. */
#ifndef GENERATED_TRACE_H
#define GENERATED_TRACE_H
#ifdef __cplusplus
extern "C" {
#define NOTHROW noexcept
#else
#define NOTHROW
#endif
/** Logs `value` and returns its 10 lowest bits. */
int trace(int value) NOTHROW;
/** Logs a text; returns its length. */
int trace_text(const char *text) NOTHROW;
/** Logs the end of main; returns the exit code, made from all that was logged.
 */
int trace_exit(int value) NOTHROW;
/** Memory of the fake device, 4 KiB. */
int *device(void) NOTHROW;
/** Calls `function(argument)` on another thread and waits for its end. */
void on_thread(void (*function)(void *), void *argument);
#ifdef __cplusplus
}
#endif
#undef NOTHROW
#endif
