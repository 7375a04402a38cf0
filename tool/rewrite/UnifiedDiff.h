// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Insertions as a unified diff. No comparison is needed: what changed is known.
#ifndef AUTOPROF_REWRITE_UNIFIEDDIFF_H
#define AUTOPROF_REWRITE_UNIFIEDDIFF_H

#include "source/Edits.h"

#include "llvm/Support/raw_ostream.h"

namespace autoprof::rewrite {

/// Prints how `Changes` change `Text`, as `patch -p1` takes it.
void printDiff(llvm::raw_ostream &OS, llvm::StringRef Name,
               llvm::StringRef Text, llvm::ArrayRef<source::Edit> Changes);

} // namespace autoprof::rewrite

#endif // AUTOPROF_REWRITE_UNIFIEDDIFF_H
