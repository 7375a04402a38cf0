// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selections of rules, in the syntax of clang-tidy's options.
#ifndef AUTOPROF_AUDIT_FILTERS_H
#define AUTOPROF_AUDIT_FILTERS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Regex.h"

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

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_FILTERS_H
