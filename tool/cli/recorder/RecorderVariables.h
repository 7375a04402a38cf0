// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The environment variables that make a program record itself.
#ifndef AUTOPROF_CLI_RECORDER_RECORDERVARIABLES_H
#define AUTOPROF_CLI_RECORDER_RECORDERVARIABLES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>

namespace autoprof::cli {

using Variables = std::map<std::string, std::string>;

/// lib/libautoprof.so next to the bin/ that this program is in.
llvm::Expected<std::string> findRuntime();

/// Loads `Runtime` into the program, by the dynamic loader and by the driver,
/// with what to record and where. `Output` is absolute, and may hold patterns
/// (%p) in its last part. Other tools stay in LD_PRELOAD, after it, and for
/// NVTX. `Given`: variables that the program gets in addition to this
/// process's.
Variables recorderVariables(const std::string &Runtime, llvm::StringRef Output,
                            llvm::StringRef Mode, const Variables &Given = {});

} // namespace autoprof::cli

#endif // AUTOPROF_CLI_RECORDER_RECORDERVARIABLES_H
