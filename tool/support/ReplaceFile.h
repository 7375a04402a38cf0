// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace autoprof::support {

/// Writes into another file first, so that `Path` is never left half written.
/// An error is one sentence: "cannot write WHAT 'PATH': ...".
llvm::Error replaceFile(llvm::StringRef What, llvm::StringRef Path,
                        llvm::function_ref<void(llvm::raw_ostream &)> Write);

} // namespace autoprof::support
