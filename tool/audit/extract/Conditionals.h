// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds code that is compiled only in debug builds: the regions of #ifdef DEBUG
// and the like, which leave no trace in the AST.
#ifndef AUTOPROF_AUDIT_EXTRACT_CONDITIONALS_H
#define AUTOPROF_AUDIT_EXTRACT_CONDITIONALS_H

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/DenseMap.h"
#include <string>
#include <vector>

namespace autoprof::audit {

class Conditionals {
public:
  struct Region {
    unsigned Begin, End; ///< Offsets in the file.
    std::string Macro;
    clang::SourceLocation Loc;
  };

  /// Collects regions while `PP` reads; this object must outlive that.
  void watch(clang::Preprocessor &PP);

  /// The innermost debug region around a location, or null.
  const Region *regionAround(clang::SourceLocation Loc,
                             const clang::SourceManager &SM) const;

private:
  friend class ConditionalsWatcher;
  llvm::DenseMap<clang::FileID, std::vector<Region>> Debug;
};

/// "DEBUG", "VERBOSE_CHECKS", but not "NDEBUG".
bool isDebugName(llvm::StringRef Name);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_CONDITIONALS_H
