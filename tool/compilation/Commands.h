// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a compiler's command line, whichever compiler it is for, to units.
#ifndef AUTOPROF_COMPILATION_COMMANDS_H
#define AUTOPROF_COMPILATION_COMMANDS_H

#include "compilation/Unit.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace autoprof::sources {

/// The units of one command: one for each source file in it, or `File` alone
/// if that is not empty. Launchers (ccache and the like) in front of the
/// compiler are skipped. None when the command compiles no C or C++.
/// `Directory` is absolute.
std::vector<Unit> unitsOf(llvm::ArrayRef<std::string> CommandLine,
                          llvm::StringRef Directory, llvm::StringRef File = "");

} // namespace autoprof::sources

#endif // AUTOPROF_COMPILATION_COMMANDS_H
