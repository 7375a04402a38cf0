// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pattern of the key `exclude-files`.
#ifndef AUTOPROF_CONFIG_FILEPATTERN_H
#define AUTOPROF_CONFIG_FILEPATTERN_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/GlobPattern.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace autoprof {

/// A glob on the path of a file from the root on; a leading "./" means
/// nothing. If it matches a folder ("third_party"), it means all files below;
/// with a '/' at its end, it matches only folders.
class FilePattern {
  std::string Written;
  /// What the globs read, which refer to parts of it: it must not move.
  std::shared_ptr<const std::string> FileText, BelowText;
  std::optional<llvm::GlobPattern> File; ///< None: only folders.
  std::optional<llvm::GlobPattern> Below;

  FilePattern() = default;

public:
  /// An error says why it is not a glob.
  static llvm::Expected<FilePattern> create(llvm::StringRef Text);

  bool match(llvm::StringRef Path) const {
    return (File && File->match(Path)) || Below->match(Path);
  }
  /// As the user wrote it.
  const std::string &text() const { return Written; }
};

/// Without those that are not globs.
std::vector<FilePattern> filePatterns(const std::vector<std::string> &Patterns);

/// The first one that matches, or null.
const FilePattern *firstMatch(const std::vector<FilePattern> &Patterns,
                              llvm::StringRef Path);

} // namespace autoprof

#endif // AUTOPROF_CONFIG_FILEPATTERN_H
