// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of source files by line, for excerpts. Not thread-safe.
#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <vector>

namespace autoprof::report {

class SourceLines {
public:
  /// `FromTrace`: a stranger may have chosen the paths, so only files that are
  /// named as sources are read.
  explicit SourceLines(bool FromTrace = false) : FromTrace(FromTrace) {}

  /// All lines without their ends; none when the file cannot be read. Lives as
  /// long as this object; the file is read when it is first needed.
  llvm::ArrayRef<llvm::StringRef> lines(llvm::StringRef Path);

  /// Counted from 1; "" when the file cannot be read or is shorter.
  llvm::StringRef line(llvm::StringRef Path, unsigned Number);

private:
  struct File {
    std::unique_ptr<llvm::MemoryBuffer> Text;
    std::vector<llvm::StringRef> Lines;
  };
  const bool FromTrace;
  llvm::StringMap<File> Known;
};

} // namespace autoprof::report
