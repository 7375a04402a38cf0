// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns the command line of any supported compiler into units.
#pragma once

#include "compilation/Unit.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace autoprof::sources {

/// The units of one command: one for each source file in it, or `File` alone if
/// that is not empty. Launchers (ccache and the like) before the compiler are
/// skipped. Returns none if the command compiles no C or C++. `Directory` is
/// absolute.
std::vector<Unit> unitsOf(llvm::ArrayRef<std::string> CommandLine,
                          llvm::StringRef Directory, llvm::StringRef File = "");

} // namespace autoprof::sources
