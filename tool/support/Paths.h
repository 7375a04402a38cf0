// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace autoprof::support {

/// An absolute path as messages show it: relative to the current folder if the
/// file is below it.
std::string pathFromHere(llvm::StringRef File);

} // namespace autoprof::support
