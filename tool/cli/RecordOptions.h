// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What part of a run is recorded: options of `autoprof run`, which the runtime
// reads as variables of the environment (docs/runtime.md).
#ifndef AUTOPROF_CLI_RECORDOPTIONS_H
#define AUTOPROF_CLI_RECORDOPTIONS_H

#include "support/Command.h"

namespace autoprof::cli {

/// Sets the variables for the program to be started. Variables that are already
/// set apply where the option is not given. Fails with one sentence if the
/// values are invalid, alone or together. `TimesSteps`: if the project names
/// its step and no option selects what to record, the first steps are timed and
/// not recorded.
llvm::Error setRecordVariables(const support::Arguments &Args, bool TimesSteps);

} // namespace autoprof::cli

#endif // AUTOPROF_CLI_RECORDOPTIONS_H
