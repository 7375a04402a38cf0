// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/trace/Ring.h"

#include "runtime/support/Log.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <unistd.h>

namespace autoprof::runtime {

static constexpr size_t CopySize = 1u << 20;

namespace {
struct Descriptor {
  int Number;
  explicit Descriptor(int Number) : Number(Number) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() {
    if (Number >= 0)
      ::close(Number);
  }
};
} // namespace

static bool writeAll(int Target, const char *Bytes, size_t Size) {
  while (Size > 0) {
    ssize_t Written = ::write(Target, Bytes, Size);
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written <= 0)
      return false;
    Bytes += Written;
    Size -= static_cast<size_t>(Written);
  }
  return true;
}

// Appends the file `SourcePath` to `Target`. On failure returns false and sets
// errno.
static bool append(int Target, const std::string &SourcePath) {
  Descriptor Source(::open(SourcePath.c_str(), O_RDONLY | O_CLOEXEC));
  if (Source.Number < 0)
    return false;
  auto Buffer = std::make_unique<char[]>(CopySize);
  for (;;) {
    ssize_t Got = ::read(Source.Number, Buffer.get(), CopySize);
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got <= 0)
      return Got == 0;
    if (!writeAll(Target, Buffer.get(), static_cast<size_t>(Got)))
      return false;
  }
}

// Named after this process: an older run may have left such a file after a
// crash.
std::string Ring::older() const {
  return withWord(File.path(), "older-" + std::to_string(getpid()));
}

bool Ring::turn() {
  if (!File.replace(older()))
    return false;
  Turned = true;
  return true;
}

std::string Ring::dump(std::string &Problem) {
  const int MostDumps = 10'000;
  if (!Limit) {
    Problem = "it does not record into a ring: start it with --max-size";
    return "";
  }
  for (int I = 1; I < MostDumps; ++I) {
    std::string Path = withWord(File.path(), "dump" + std::to_string(I));
    Descriptor Target(
        ::open(Path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (Target.Number < 0 && errno == EEXIST)
      continue;
    if (Target.Number >= 0 && (!Turned || append(Target.Number, older())) &&
        append(Target.Number, File.path()))
      return Path;
    Problem = "cannot write " + Path + ": " + strerror(errno);
    if (Target.Number >= 0)
      unlink(Path.c_str());
    return "";
  }
  Problem = "there are too many dumps already";
  return "";
}

void Ring::join() {
  if (!Turned)
    return;
  const std::string Older = older();
  Descriptor Target(::open(Older.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  off_t Size = Target.Number < 0 ? -1 : lseek(Target.Number, 0, SEEK_END);
  if (Size >= 0 && append(Target.Number, File.path()) &&
      rename(Older.c_str(), File.path().c_str()) == 0)
    return;
  warn("the two parts of the trace could not be joined (%s): the older one is "
       "%s",
       strerror(errno), Older.c_str());
  if (Size >= 0 && ftruncate(Target.Number, Size) != 0)
    warn("%s may repeat what is in %s", Older.c_str(), File.path().c_str());
}

} // namespace autoprof::runtime
