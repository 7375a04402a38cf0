// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/input/AvailableMemory.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <string>
#include <sys/resource.h>

using llvm::StringRef;

// The files are the kernel's: proc(5), and "Control Group v2" in its
// documentation.

static std::string contents(const llvm::Twine &Path) {
  auto File = llvm::MemoryBuffer::getFileAsStream(Path);
  return File ? (*File)->getBuffer().str() : std::string();
}

/// The number after `Name` in a file of names and numbers; 0 without one.
static uint64_t numberOf(StringRef Text, StringRef Name) {
  llvm::SmallVector<StringRef> Lines;
  Text.split(Lines, '\n');
  uint64_t Number = 0;
  for (StringRef Line : Lines)
    if (Line.consume_front(Name) && !Line.ltrim().consumeInteger(10, Number))
      return Number;
  return 0;
}

static uint64_t left(uint64_t Limit, uint64_t Used) {
  return Limit > Used ? Limit - Used : 1;
}

static uint64_t ofMachine() {
  return numberOf(contents("/proc/meminfo"), "MemAvailable:") * 1024;
}

static uint64_t ofProcess() {
  rlimit Limit;
  if (getrlimit(RLIMIT_AS, &Limit) || Limit.rlim_cur == RLIM_INFINITY)
    return UINT64_MAX;
  return left(Limit.rlim_cur,
              numberOf(contents("/proc/self/status"), "VmSize:") * 1024);
}

/// Of a control group; cached memory is not in use.
static uint64_t ofGroup(StringRef Folder) {
  uint64_t Limit = 0;
  std::string Text = contents(Folder + "/memory.max");
  if (StringRef(Text).trim().getAsInteger(10, Limit)) // "max", or no file.
    return UINT64_MAX;
  return left(Limit, numberOf(contents(Folder + "/memory.stat"), "anon "));
}

/// Of the process's group and those around it. In a container the path may be
/// the host's, which is not there: then the root is the container's own group.
static uint64_t ofContainer() {
  const std::string Root = "/sys/fs/cgroup",
                    Groups = contents("/proc/self/cgroup");
  uint64_t Smallest = ofGroup(Root);
  StringRef Path = StringRef(Groups).split("0::").second.split('\n').first;
  for (; Path.size() > 1; Path = Path.rsplit('/').first)
    Smallest = std::min(Smallest, ofGroup((Root + Path).str()));
  return Smallest;
}

uint64_t autoprof::trace::availableMemory() {
  uint64_t Machine = ofMachine();
  uint64_t Smallest = std::min(ofProcess(), ofContainer());
  if (!Machine)
    return Smallest == UINT64_MAX ? 0 : Smallest;
  return std::min(Machine, Smallest);
}

std::string autoprof::trace::gigabytes(uint64_t Bytes) {
  return std::to_string((Bytes + 500'000'000) / 1'000'000'000) + " GB";
}

std::string autoprof::trace::megabytes(uint64_t Bytes) {
  return std::to_string((Bytes + 500'000) / 1'000'000) + " MB";
}
