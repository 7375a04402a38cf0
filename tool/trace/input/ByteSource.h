// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of a file from front to back, unpacked on the way if it is a gzip
// file, so that a trace of any size needs only a buffer.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <memory>
#include <zlib.h>

namespace autoprof::trace {

/// Puts up to `Size` of the next bytes at `Buffer` and returns how many; 0: the
/// end.
using ByteReader = std::function<size_t(char *Buffer, size_t Size)>;

/// Told the part of a file that has been read, from 0 to 1; may be empty.
using ProgressFunction = std::function<void(double Part)>;

/// Reads a file, packed or not: zlib passes other files than gzip through. One
/// thread at a time.
class ByteSource {
  struct Closer {
    void operator()(gzFile File) const;
  };
  std::unique_ptr<std::remove_pointer_t<gzFile>, Closer> File;
  bool Damaged = false;

public:
  static llvm::Expected<ByteSource> open(llvm::StringRef Path);

  size_t read(char *Buffer, size_t Size);
  /// How many bytes of the file, packed as it is, have been read.
  uint64_t position() const;
  bool isPacked() const;
  /// Whether the end came because the gzip file is cut off or damaged.
  bool isDamaged() const { return Damaged; }
};

/// Unpacks a zlib stream of at most 1 GB: one that is cut off gives what came
/// before, and one larger than `Limit` bytes slightly more than that.
std::string inflated(llvm::StringRef Bytes, size_t Limit);

/// Reads from memory, which must outlive the reader.
ByteReader readerOf(llvm::StringRef Bytes);

} // namespace autoprof::trace
