// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/trace/Trace.h"

#include <cstdio>
#include <unistd.h>

namespace autoprof::runtime {

static std::string readFile(const char *Path) {
  std::string Text;
  if (FILE *File = fopen(Path, "re")) {
    char Buffer[4096];
    size_t Size;
    do {
      Size = fread(Buffer, 1, sizeof Buffer, File);
      Text.append(Buffer, Size);
    } while (Size == sizeof Buffer);
    fclose(File);
  }
  return Text;
}

static uint64_t hashText(uint64_t Hash, std::string_view Text) {
  for (char C : Text)
    Hash = mix(Hash, static_cast<unsigned char>(C));
  return Hash;
}

// The start time of the process in clock ticks since boot: field 22 of
// /proc/self/stat, counted from the end of the name, which may contain
// anything.
static std::string_view startTime(std::string_view Stat) {
  size_t Pos = Stat.rfind(')');
  for (int Field = 2; Field < 22 && Pos != std::string_view::npos; ++Field)
    Pos = Stat.find(' ', Pos + 1);
  if (Pos == std::string_view::npos)
    return {};
  return Stat.substr(Pos + 1, Stat.find(' ', Pos + 1) - Pos - 1);
}

ProcessIdentity identifyProcess() {
  ProcessIdentity Result;
  Result.Pid = static_cast<uint32_t>(getpid());
  Result.Hash =
      hashText(Result.Pid, readFile("/proc/sys/kernel/random/boot_id"));
  Result.Hash = hashText(Result.Hash, startTime(readFile("/proc/self/stat")));
  Result.Share = static_cast<uint8_t>(Result.Hash % ShareCount);
  Result.Name = readFile("/proc/self/comm");
  while (!Result.Name.empty() && Result.Name.back() == '\n')
    Result.Name.pop_back();
  std::string Line = readFile("/proc/self/cmdline");
  for (size_t Pos = 0; Pos < Line.size();) {
    Result.CommandLine.push_back(Line.c_str() + Pos);
    Pos += Result.CommandLine.back().size() + 1;
  }
  return Result;
}

} // namespace autoprof::runtime
