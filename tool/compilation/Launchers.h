// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that precede a compiler in a command.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace autoprof::sources {

/// `Command` from its compiler on. `autoprof-nvcc` followed by options stands
/// for nvcc, and counts as the compiler then.
llvm::ArrayRef<std::string>
withoutLaunchers(llvm::ArrayRef<std::string> Command);

} // namespace autoprof::sources
