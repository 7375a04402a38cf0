// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace autoprof {

/// The one of `Known` that `Text` may be a typing error of; "": none.
llvm::StringRef nearest(llvm::StringRef Text,
                        llvm::ArrayRef<llvm::StringRef> Known);

/// "; did you mean 'x'?" if one of `Known` is near, else "".
std::string suggestion(llvm::StringRef Text,
                       llvm::ArrayRef<llvm::StringRef> Known);

} // namespace autoprof
