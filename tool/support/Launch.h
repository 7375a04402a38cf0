// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts another program and waits until it ends.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <map>
#include <spawn.h>
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

/// This process's environment, without variables that are left out, and with
/// those of `Added` in place of others of their names.
std::vector<std::string> environmentWith(
    const std::map<std::string, std::string> &Added,
    llvm::function_ref<bool(llvm::StringRef Name)> IsLeftOut = nullptr);

/// Starts `Path` with `Arguments` (the first is its name) and environmentWith()
/// `Added`. `Files`, `Attributes`: of posix_spawn(); null: as in this process.
llvm::Expected<pid_t> spawn(const std::string &Path,
                            const std::vector<std::string> &Arguments,
                            const std::map<std::string, std::string> &Added,
                            const posix_spawn_file_actions_t *Files,
                            const posix_spawnattr_t *Attributes);

/// The exit code of a process by its status: 128 + n after signal n.
int exitCodeOf(int Status);

/// Runs `Path` with `Arguments` (the first is its name) and waits. A SIGINT,
/// SIGQUIT, SIGTERM or SIGHUP sent to this process alone is passed on; one
/// from the terminal has reached the program already. Returns the exit code,
/// or 128 + n after signal n; an error when the program could not be started.
llvm::Expected<int> launch(const std::string &Path,
                           const std::vector<std::string> &Arguments);

} // namespace autoprof::support
