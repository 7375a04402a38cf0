// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_AUDIT_EXTRACT_INSIDE_H
#define AUTOPROF_AUDIT_EXTRACT_INSIDE_H

#include "clang/AST/Stmt.h"

namespace autoprof::audit {

/// Whether the predicate holds for a statement or one nested in it. False for
/// null.
template <typename Predicate>
bool anyInside(const clang::Stmt *S, const Predicate &Matches) {
  if (!S)
    return false;
  if (Matches(S))
    return true;
  for (const clang::Stmt *Child : S->children())
    if (anyInside(Child, Matches))
      return true;
  return false;
}

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_INSIDE_H
