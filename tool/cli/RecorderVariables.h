// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What makes a program record itself: variables of its environment.
#ifndef AUTOPROF_CLI_RECORDERVARIABLES_H
#define AUTOPROF_CLI_RECORDERVARIABLES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>

namespace autoprof::cli {

using Variables = std::map<std::string, std::string>;

/// lib/libautoprof.so next to the bin/ that this program is in.
llvm::Expected<std::string> findRuntime();

/// Loads `Runtime` into the program, by the dynamic loader and by the driver,
/// and says where to record what. `Output` is absolute, and may hold patterns
/// (%p) in its last part. Other tools keep their place behind LD_PRELOAD and
/// for NVTX. `Given`: variables that the program gets besides this process's.
Variables recorderVariables(const std::string &Runtime, llvm::StringRef Output,
                            llvm::StringRef Mode, const Variables &Given = {});

} // namespace autoprof::cli

#endif // AUTOPROF_CLI_RECORDERVARIABLES_H
