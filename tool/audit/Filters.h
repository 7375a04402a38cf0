// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selections of rules and of lines, in the syntax of clang-tidy's options.
#ifndef AUTOPROF_AUDIT_FILTERS_H
#define AUTOPROF_AUDIT_FILTERS_H

#include "audit/Finding.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Regex.h"

#include <optional>
#include <string>
#include <vector>

namespace autoprof::audit {

/// "-*,autoprof-sync-*": globs, separated by commas or newlines; the last one
/// that matches a name decides, and a leading '-' excludes names.
class NameGlobs {
  struct Glob {
    bool Takes;
    llvm::Regex Pattern;
  };
  std::vector<Glob> All;

public:
  explicit NameGlobs(llvm::StringRef Text);
  bool contains(llvm::StringRef Name) const;
};

/// [{"name": "file.cpp", "lines": [[1, 3], [5, 7]]}, {"name": "file.h"}]
class LineFilter {
  struct File {
    std::string Name;
    std::vector<std::pair<unsigned, unsigned>> Lines; ///< Empty: all.
  };
  std::vector<File> Files;

public:
  /// On failure returns an error that states the problem in one sentence.
  static llvm::Expected<LineFilter> parse(llvm::StringRef Json);
  bool contains(const Place &Location) const;
  /// Whether every line of this file is selected.
  bool containsAll(llvm::StringRef Path) const;
};

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_FILTERS_H
