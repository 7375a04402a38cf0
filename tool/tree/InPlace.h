// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks whether the user's own files may be changed.
#ifndef AUTOPROF_TREE_INPLACE_H
#define AUTOPROF_TREE_INPLACE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace autoprof::tree {

/// Succeeds if git can undo changes of `Files` (relative to `Root`): all are in
/// the repository around `Root`, and it has no uncommitted changes. The error
/// names the remedy.
llvm::Error checkUndoable(llvm::StringRef Root,
                          llvm::ArrayRef<std::string> Files);

} // namespace autoprof::tree

#endif // AUTOPROF_TREE_INPLACE_H
