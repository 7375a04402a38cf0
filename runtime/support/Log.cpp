// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/support/Log.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace autoprof::runtime {

static std::atomic<LogLevel> CurrentLevel{LogLevel::Warn};
static struct stat Stderr = {}; // As of when the library was loaded.

void startLog(LogLevel Level) {
  CurrentLevel.store(Level, std::memory_order_relaxed);
  if (fstat(STDERR_FILENO, &Stderr) != 0)
    Stderr = {};
}

// A program that closes its descriptors may get number 2 for a file or a socket
// of its own, which a message of ours would corrupt. A terminal, or a log
// opened for appending, is still a place for messages.
static bool isForMessages(int File) {
  struct stat Status;
  if (fstat(File, &Status) != 0)
    return false;
  bool IsSame =
      Status.st_dev == Stderr.st_dev && Status.st_ino == Stderr.st_ino;
  return IsSame || isatty(File) ||
         (S_ISREG(Status.st_mode) && (fcntl(File, F_GETFL) & O_APPEND));
}

// Each line is one write(2), so that lines of several processes do not mix,
// without stdio, whose locks and buffers belong to the program.
void warn(const char *Format, ...) {
  if (CurrentLevel.load(std::memory_order_relaxed) == LogLevel::Quiet ||
      !isForMessages(STDERR_FILENO))
    return;
  char Line[1024] = "autoprof: ";
  const int Prefix = 10;
  va_list Arguments;
  va_start(Arguments, Format);
  int Length =
      vsnprintf(Line + Prefix, sizeof Line - Prefix - 1, Format, Arguments);
  va_end(Arguments);
  if (Length < 0)
    return;
  Length += Prefix;
  if (Length > static_cast<int>(sizeof Line) - 2)
    Length = static_cast<int>(sizeof Line) - 2;
  Line[Length++] = '\n';
  ssize_t Ignored = write(STDERR_FILENO, Line, static_cast<size_t>(Length));
  (void)Ignored;
}

} // namespace autoprof::runtime
