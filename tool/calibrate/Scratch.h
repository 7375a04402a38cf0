// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder for what the measuring process and nvcc write: removed, with all of
// its contents, by the destructor; it remains only after a SIGKILL.
#ifndef AUTOPROF_CALIBRATE_SCRATCH_H
#define AUTOPROF_CALIBRATE_SCRATCH_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

namespace autoprof::calibrate {

class Scratch {
public:
  /// An error is a sentence.
  llvm::Error make() {
    if (std::error_code E =
            llvm::sys::fs::createUniqueDirectory("autoprof-calibrate", Path))
      return llvm::createStringError("cannot make a temporary folder: " +
                                     E.message());
    return llvm::Error::success();
  }
  Scratch() = default;
  ~Scratch() {
    if (!Path.empty())
      llvm::sys::fs::remove_directories(Path);
  }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  std::string path() const { return Path.str().str(); }

private:
  llvm::SmallString<128> Path;
};

} // namespace autoprof::calibrate

#endif // AUTOPROF_CALIBRATE_SCRATCH_H
