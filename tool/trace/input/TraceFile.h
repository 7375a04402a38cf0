// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file that may hold a trace, in gzip or not, or a pipe: what tells its
// format, and its bytes.
#ifndef AUTOPROF_TRACE_INPUT_TRACEFILE_H
#define AUTOPROF_TRACE_INPUT_TRACEFILE_H

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
  /// Gives pages of bytes() back that have been read: the file is still there,
  /// and what is read of it takes memory enough.
  void dropPages(size_t UpTo);

private:
  llvm::Error map();

  std::string Path, Start, Unpacked;
  bool Regular = false, Packed = false;
  uint64_t Size = 0;
  std::unique_ptr<llvm::MemoryBuffer> Buffer;
};

} // namespace autoprof::trace

#endif // AUTOPROF_TRACE_INPUT_TRACEFILE_H
