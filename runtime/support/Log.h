// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime says to the user: whole lines on stderr, prefixed
// "autoprof: ". The runtime lives in other people's programs, so it says at
// most one line for each cause, and nothing while all is well.
#ifndef AUTOPROF_RUNTIME_SUPPORT_LOG_H
#define AUTOPROF_RUNTIME_SUPPORT_LOG_H

namespace autoprof::runtime {

enum class LogLevel { Quiet, Warn, Info };

/// Lines above `Level` are dropped from now on, and all of them should the
/// program put another file in the place of the stderr of now.
void startLog(LogLevel Level);

/// Writes one line (printf format, no newline). Thread-safe.
void warn(const char *Format, ...) __attribute__((format(printf, 1, 2)));
void info(const char *Format, ...) __attribute__((format(printf, 1, 2)));

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_SUPPORT_LOG_H
