// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A descriptor of ours among the program's. Programs rely on getting low
// numbers (daemons, shells), so ours is a high one. And a program may close
// descriptors that it did not open, and its own files may then get our number:
// never write into those.
#pragma once

#include <atomic>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace autoprof::runtime {

/// Any thread may ask for the number and close it; one thread at a time changes
/// it.
class OwnDescriptor {
public:
  /// Moves `Opened` to a high number if possible, and forgets what was there.
  void adopt(int Opened) {
    int Moved = fcntl(Opened, F_DUPFD_CLOEXEC, 500);
    if (Moved < 0) // Never one of 0 to 2, to which the program writes.
      Moved = fcntl(Opened, F_DUPFD_CLOEXEC, 3);
    if (Moved >= 0)
      ::close(Opened);
    else
      Moved = Opened;
    Status = {};
    fstat(Moved, &Status);
    Number.store(Moved);
  }
  /// -1: none.
  int number() const { return Number.load(); }
  bool isStillOurs() const { return isOurs(number()); }
  /// Whether `Path` names what was adopted.
  bool isAt(const char *Path) const {
    struct stat Now;
    return stat(Path, &Now) == 0 && isSame(Now);
  }
  bool isRegularFile() const { return S_ISREG(Status.st_mode); }
  /// The program has taken the number.
  void forget() { Number.store(-1); }
  /// Async-signal-safe.
  void close() {
    const int Old = Number.exchange(-1);
    if (Old >= 0 && isOurs(Old))
      ::close(Old);
  }

private:
  bool isOurs(int File) const {
    struct stat Now;
    return fstat(File, &Now) == 0 && isSame(Now);
  }
  bool isSame(const struct stat &Other) const {
    return Other.st_dev == Status.st_dev && Other.st_ino == Status.st_ino;
  }

  std::atomic<int> Number{-1};
  struct stat Status = {}; ///< Of the file that was adopted.
};

} // namespace autoprof::runtime
