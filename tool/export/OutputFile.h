// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <optional>

namespace autoprof::exports {

/// A file that gets its name only when it is complete: until then it is next to
/// it under another name, and an existing file stays. Devices and pipes are
/// written as they are; "-" is standard output.
class OutputFile {
public:
  /// A stream that packs what is written with gzip if the name ends in ".gz".
  /// An error is one sentence that names the file.
  static llvm::Expected<OutputFile> create(llvm::StringRef Path);

  llvm::raw_ostream &stream() { return Packed ? *Packed : *Plain; }
  /// Gives the file its name; an error, such as a full disk, leaves nothing.
  llvm::Error commit();

  OutputFile(OutputFile &&) = default;
  OutputFile &operator=(OutputFile &&) = default;
  ~OutputFile();

private:
  OutputFile() = default;
  std::string Path;
  std::optional<llvm::sys::fs::TempFile> Temporary;
  std::unique_ptr<llvm::raw_fd_ostream> Plain;
  std::unique_ptr<llvm::raw_ostream> Packed;
};

} // namespace autoprof::exports
