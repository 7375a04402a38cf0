// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Insertions as a unified diff. No comparison is needed: what changed is known.
#ifndef AUTOPROF_TREE_UNIFIEDDIFF_H
#define AUTOPROF_TREE_UNIFIEDDIFF_H

#include "source/text/Edits.h"

#include "llvm/Support/raw_ostream.h"

namespace autoprof::tree {

/// Prints how `Changes` change `Text`, as `patch -p1` takes it.
void printDiff(llvm::raw_ostream &OS, llvm::StringRef Name,
               llvm::StringRef Text, llvm::ArrayRef<source::Edit> Changes);

} // namespace autoprof::tree

#endif // AUTOPROF_TREE_UNIFIEDDIFF_H
