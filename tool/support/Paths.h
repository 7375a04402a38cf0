// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace autoprof::support {

/// An absolute path as messages show it: relative to the current folder if the
/// file is below it.
std::string pathFromHere(llvm::StringRef File);

/// A file or folder of this installation: its path from the folder of this
/// program. It may be missing if the program was copied alone.
std::string installed(llvm::StringRef FromProgram);

} // namespace autoprof::support
