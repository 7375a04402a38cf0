// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's messages to the user: whole lines on stderr, prefixed
// "autoprof: ". The runtime is a guest in the user's program, so it prints at
// most one line for each cause, and nothing while all is well.
#pragma once

namespace autoprof::runtime {

enum class LogLevel { Quiet, Warn };

/// From now on drops all lines if `Level` is Quiet, or if the program replaces
/// the current stderr by another file.
void startLog(LogLevel Level);

/// Writes one line (printf format, no newline). Thread-safe.
void warn(const char *Format, ...) __attribute__((format(printf, 1, 2)));

} // namespace autoprof::runtime
