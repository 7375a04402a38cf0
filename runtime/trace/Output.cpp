// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/trace/Output.h"

#include "runtime/support/Log.h"
#include "runtime/support/Loss.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace autoprof::runtime {

std::string withWord(const std::string &Path, const std::string &Word) {
  size_t Name = Path.rfind('/') == std::string::npos ? 0 : Path.rfind('/') + 1;
  size_t Dot = Path.rfind('.');
  if (Dot == std::string::npos || Dot <= Name)
    Dot = Path.size();
  return Path.substr(0, Dot) + "." + Word + Path.substr(Dot);
}

std::string withProcessId(const std::string &Path) {
  return withWord(Path, std::to_string(getpid()));
}

static int createFile(const std::string &Path) {
  return ::open(Path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
}

// A device or a pipe is opened as it is, never created. Without O_NONBLOCK,
// opening a pipe that nobody reads would block forever.
static int openSpecial(const std::string &Path) {
  struct stat Status;
  if (stat(Path.c_str(), &Status) != 0 || S_ISREG(Status.st_mode))
    return -1;
  int File = ::open(Path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
  if (File >= 0)
    fcntl(File, F_SETFL, fcntl(File, F_GETFL) & ~O_NONBLOCK);
  return File;
}

bool Output::adopt(int Opened, const std::string &From) {
  File.adopt(Opened);
  Path = From;
  Size = 0;
  return true;
}

bool Output::open(const std::string &Wanted, bool IsNameFinal) {
  int Opened = createFile(Wanted);
  if (Opened >= 0)
    return adopt(Opened, Wanted);
  if (errno == EEXIST) {
    Opened = openSpecial(Wanted);
    if (Opened >= 0)
      return adopt(Opened, Wanted);
    struct stat Status;
    if (stat(Wanted.c_str(), &Status) == 0 && !S_ISREG(Status.st_mode)) {
      warn("cannot write %s; nothing is recorded", Wanted.c_str());
      return false;
    }
    std::string Name = withProcessId(Wanted);
    Opened = createFile(Name);
    if (Opened >= 0) {
      if (IsNameFinal)
        warn("%s exists; this process records to %s", Wanted.c_str(),
             Name.c_str());
      return adopt(Opened, Name);
    }
  }
  warn("cannot create %s: %s; nothing is recorded", Wanted.c_str(),
       strerror(errno));
  return false;
}

bool Output::stop(const char *Reason) {
  Lost.WriteErrors.fetch_add(1, std::memory_order_relaxed);
  warn("recording to %s stops: %s", Path.c_str(), Reason);
  if (Size == 0 && !isSpecial() && File.isAt(Path.c_str()))
    unlink(Path.c_str());
  close();
  return false;
}

bool Output::replace(const std::string &Aside) {
  if (!isOpen())
    return false;
  if (!File.isStillOurs())
    return stop("the program closed the trace's file descriptor");
  // After a chroot the name may be that of a file of the program.
  if (!File.isAt(Path.c_str()))
    return stop("it is no longer at this path");
  if (rename(Path.c_str(), Aside.c_str()) != 0)
    return stop(strerror(errno));
  int New = createFile(Path);
  if (New < 0) {
    const int Error = errno;
    rename(Aside.c_str(), Path.c_str());
    return stop(strerror(Error));
  }
  close();
  return adopt(New, std::string(Path));
}

bool Output::write(const uint8_t *Bytes, size_t Count) {
  if (!isOpen())
    return false;
  const char *Reason = nullptr;
  if (!File.isStillOurs()) {
    File.forget();
    Reason = "the program closed the trace's file descriptor";
  }
  while (!Reason && Count > 0) {
    ssize_t Written = ::write(File.number(), Bytes, Count);
    if (Written > 0) {
      Bytes += Written;
      Count -= static_cast<size_t>(Written);
      Size += static_cast<size_t>(Written);
    } else if (Written == 0 || errno != EINTR) {
      Reason = Written == 0 ? "nothing could be written" : strerror(errno);
    }
  }
  return !Reason || stop(Reason);
}

} // namespace autoprof::runtime
