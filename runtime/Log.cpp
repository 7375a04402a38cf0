// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Log.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <unistd.h>

namespace autoprof::runtime {

static std::atomic<LogLevel> CurrentLevel{LogLevel::Warn};

void setLogLevel(LogLevel Level) {
  CurrentLevel.store(Level, std::memory_order_relaxed);
}

// One write(2) for a line, so that lines of several processes do not mix, and
// no stdio, whose locks and buffers belong to the program.
static void say(LogLevel Level, const char *Format, va_list Arguments) {
  if (CurrentLevel.load(std::memory_order_relaxed) < Level)
    return;
  char Line[1024] = "autoprof: ";
  const int Prefix = 10;
  int Length =
      vsnprintf(Line + Prefix, sizeof Line - Prefix - 1, Format, Arguments);
  if (Length < 0)
    return;
  Length += Prefix;
  if (Length > static_cast<int>(sizeof Line) - 2)
    Length = static_cast<int>(sizeof Line) - 2;
  Line[Length++] = '\n';
  ssize_t Ignored = write(STDERR_FILENO, Line, static_cast<size_t>(Length));
  (void)Ignored;
}

void warn(const char *Format, ...) {
  va_list Arguments;
  va_start(Arguments, Format);
  say(LogLevel::Warn, Format, Arguments);
  va_end(Arguments);
}

void info(const char *Format, ...) {
  va_list Arguments;
  va_start(Arguments, Format);
  say(LogLevel::Info, Format, Arguments);
  va_end(Arguments);
}

} // namespace autoprof::runtime
