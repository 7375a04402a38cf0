// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short processes of this program, which measure.
#pragma once

#include "cli/recorder/RecorderVariables.h"

#include "llvm/ADT/ArrayRef.h"

namespace autoprof::cli {

/// A folder that is removed with its contents; it remains only if this process
/// is killed.
class TemporaryFolder {
  std::string Path;

  explicit TemporaryFolder(std::string Path) : Path(std::move(Path)) {}

public:
  /// An error is a sentence.
  static llvm::Expected<TemporaryFolder> make();
  TemporaryFolder(TemporaryFolder &&Other) noexcept
      : Path(std::move(Other.Path)) {
    Other.Path.clear();
  }
  ~TemporaryFolder();
  const std::string &path() const { return Path; }
};

/// Runs this program and returns what it prints. Its environment is this
/// process's, with `Added` and without what records or slows launches down. An
/// error is a sentence: what it printed, if it failed by itself.
llvm::Expected<std::string> runOwnProcess(llvm::ArrayRef<std::string> Arguments,
                                          const Variables &Added,
                                          unsigned LimitSeconds);

/// Of a file, also of /proc, where files have no size; "": it cannot be read.
std::string contentOf(const llvm::Twine &Path);

} // namespace autoprof::cli
