// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file of one process. Bytes are only ever appended, in whole packets, so
// a prefix of the file is a trace whatever happens to the process.
#ifndef AUTOPROF_RUNTIME_TRACE_OUTPUT_H
#define AUTOPROF_RUNTIME_TRACE_OUTPUT_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <sys/types.h>

namespace autoprof::runtime {

class Output {
public:
  /// Creates `Path`. Another process of the run may have it: then
  /// NAME.<pid>.EXT. On failure says one sentence and returns false. `Path`
  /// may also name a device or a pipe.
  bool open(const std::string &Path);

  /// Appends; the first failure (disk full, limit reached) is said in one
  /// sentence and ends the recording: later calls return false. Call it with
  /// SIGPIPE and SIGXFSZ blocked.
  bool write(const uint8_t *Bytes, size_t Count);

  /// Gives the file another name and goes on in a new one of the old name. A
  /// failure is like one of write(). Not of a device or a pipe.
  bool replace(const std::string &Aside);

  /// Async-signal-safe.
  void close();

  bool isOpen() const { return Descriptor.load() >= 0; }

  /// Where it is, and how many bytes were written to it.
  const std::string &path() const { return Path; }
  uint64_t size() const { return Size; }

  /// A device or a pipe.
  bool isSpecial() const { return IsSpecial; }

private:
  bool stop(const char *Reason);
  bool adopt(int Opened, const std::string &Path);
  bool stillOurs(int File) const;

  std::atomic<int> Descriptor{-1};
  dev_t Device = 0;
  ino_t Inode = 0;
  bool IsSpecial = false;
  uint64_t Size = 0;
  std::string Path;
};

/// run.pftrace -> run.WORD.pftrace
std::string withWord(const std::string &Path, const std::string &Word);

/// run.pftrace -> run.<pid>.pftrace
std::string withProcessId(const std::string &Path);

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_TRACE_OUTPUT_H
