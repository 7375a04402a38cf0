// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trace file of one process. Bytes are only ever appended, in whole
// packets, so that a prefix of the file is a valid trace whatever happens to
// the process.
#pragma once

#include "runtime/support/OwnDescriptor.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace autoprof::runtime {

class Output {
public:
  /// Creates `Path`, or NAME.<pid>.EXT if another process of the run has it. On
  /// failure prints one sentence and returns false. `Path` may also name a
  /// device or a pipe. A name that is not final is not reported.
  bool open(const std::string &Path, bool IsNameFinal = true);

  /// Appends; the first failure (disk full, limit reached) is reported in one
  /// sentence and ends the recording: later calls return false. Call it with
  /// SIGPIPE and SIGXFSZ blocked.
  bool write(const uint8_t *Bytes, size_t Count);

  /// Renames the file to `Aside` and continues in a new one under the old name.
  /// A failure is handled as in write(). Not for a device or a pipe.
  bool replace(const std::string &Aside);

  /// Ends the recording, which is reported in one sentence; a file that has
  /// nothing in it is removed. Returns false.
  bool stop(const char *Reason);

  /// Async-signal-safe.
  void close() { File.close(); }

  bool isOpen() const { return File.number() >= 0; }

  /// The file's path, and the number of bytes written to it.
  const std::string &path() const { return Path; }
  uint64_t size() const { return Size; }

  /// Whether the file is a device or a pipe.
  bool isSpecial() const { return !File.isRegularFile(); }

private:
  bool adopt(int Opened, const std::string &Path);

  OwnDescriptor File;
  uint64_t Size = 0;
  std::string Path;
};

/// run.pftrace -> run.WORD.pftrace
std::string withWord(const std::string &Path, const std::string &Word);

/// run.pftrace -> run.<pid>.pftrace
std::string withProcessId(const std::string &Path);

} // namespace autoprof::runtime
