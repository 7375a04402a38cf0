// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file or a pipe that may hold a trace, in gzip or not: the beginning, which
// shows the format, and all bytes.
#pragma once

#include "trace/input/ByteSource.h"

#include "llvm/Support/MemoryBuffer.h"

namespace autoprof::trace {

class TraceFile {
public:
  /// An error, here and below, is a reason without the file's name.
  static llvm::Expected<TraceFile> open(llvm::StringRef Path);

  llvm::StringRef path() const { return Path; }
  /// Whether it can be read more than once; not a pipe.
  bool isRegular() const { return Regular; }
  /// Whether it is a gzip file.
  bool isPacked() const { return Packed; }
  /// The first bytes, unpacked; not all of a file that is longer.
  llvm::StringRef start() const { return Start; }
  uint64_t size() const { return Size; } ///< As it is, packed; 0 of a pipe.

  /// All bytes, unpacked; they live as long as this object.
  llvm::Expected<llvm::StringRef> bytes();
  /// Releases pages of bytes() that have been read: they can be read from the
  /// file again, and the timeline needs the memory.
  void dropPages(size_t UpTo);

private:
  /// Fills Unpacked, with what was read `Before`.
  llvm::Error readAll(ByteSource &Source, llvm::StringRef Before);

  std::string Path, Start, Unpacked;
  bool Regular = false, Packed = false;
  uint64_t Size = 0;
  std::unique_ptr<llvm::MemoryBuffer> Buffer; ///< Of what is not unpacked.
};

} // namespace autoprof::trace
