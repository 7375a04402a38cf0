// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints insertions as a unified diff. No comparison is needed, because the
// changes are known.
#ifndef AUTOPROF_TREE_UNIFIEDDIFF_H
#define AUTOPROF_TREE_UNIFIEDDIFF_H

#include "source/text/Edits.h"

#include "llvm/Support/raw_ostream.h"

namespace autoprof::tree {

/// Prints how `Changes` change `Text`, in the format of `patch -p1`.
void printDiff(llvm::raw_ostream &OS, llvm::StringRef Name,
               llvm::StringRef Text, llvm::ArrayRef<source::Edit> Changes);

} // namespace autoprof::tree

#endif // AUTOPROF_TREE_UNIFIEDDIFF_H
