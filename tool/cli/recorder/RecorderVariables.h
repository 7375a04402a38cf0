// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The environment variables that make a program record itself.
#pragma once

#include "support/Command.h"

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

/// What part of a run is recorded: sets the variables (docs/runtime.md) for the
/// program to be started. Variables that are already set apply where the option
/// is not given. Fails with one sentence if the values are invalid, alone or
/// together.
llvm::Error setRecordVariables(const support::Arguments &Args);

} // namespace autoprof::cli
