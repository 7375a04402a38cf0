// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts another program and waits until it ends.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace autoprof::support {

/// The file that `Name` runs: itself if it has a slash, else found in PATH. An
/// error gives the reason.
llvm::Expected<std::string> findProgram(llvm::StringRef Name);

/// Adds a library to LD_PRELOAD of the programs started from now on, after its
/// present content. Does nothing if the path has a blank or a colon, which
/// LD_PRELOAD cannot name.
void preload(llvm::StringRef Library);

/// Runs `Path` with `Arguments` (the first is its name) and waits. A SIGINT,
/// SIGQUIT, SIGTERM or SIGHUP sent to this process alone is passed on; one
/// from the terminal has reached the program already. Returns the exit code,
/// or 128 + n after signal n; an error when the program could not be started.
llvm::Expected<int> launch(const std::string &Path,
                           const std::vector<std::string> &Arguments);

} // namespace autoprof::support
