// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pattern of the key `exclude-files`.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace autoprof {

/// A glob on the path of a file from the root on; a leading "./" means
/// nothing. If it matches a folder ("third_party"), it means all files below;
/// with a '/' at its end, it matches only folders. One that is not a glob
/// matches nothing.
class FilePattern {
  std::string Written;

public:
  explicit FilePattern(std::string Text) : Written(std::move(Text)) {}
  bool match(llvm::StringRef Path) const;
  /// As the user wrote it.
  const std::string &text() const { return Written; }
};

std::vector<FilePattern> filePatterns(const std::vector<std::string> &Patterns);

/// The first one that matches, or null.
const FilePattern *firstMatch(const std::vector<FilePattern> &Patterns,
                              llvm::StringRef Path);

} // namespace autoprof
