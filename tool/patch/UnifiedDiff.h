// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace autoprof::patch {

/// Lines, counted from 0, that others take the place of.
struct LineEdit {
  size_t First = 0, Count = 0;
  std::string With; ///< "", or lines with their newlines.

  size_t end() const { return First + Count; }
};
inline bool operator==(const LineEdit &A, const LineEdit &B) {
  return A.First == B.First && A.Count == B.Count && A.With == B.With;
}
template <typename V> void visit(V &Do, LineEdit &E) {
  Do(E.First, E.Count, E.With);
}

/// `Text` with the edits, which are in order and do not overlap.
std::string edited(llvm::StringRef Text, const std::vector<LineEdit> &Edits);

/// The edits as a unified diff with three lines of context, as `patch -p1` and
/// `git apply` take it. `Name`: of the file, relative to where it is applied.
std::string unifiedDiff(llvm::StringRef Name, llvm::StringRef Text,
                        const std::vector<LineEdit> &Edits);

} // namespace autoprof::patch
