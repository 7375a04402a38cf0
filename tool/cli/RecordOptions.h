// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What part of a run is recorded: options of `autoprof run`, which the runtime
// reads as variables of the environment (docs/runtime-reference.md).
#ifndef AUTOPROF_CLI_RECORDOPTIONS_H
#define AUTOPROF_CLI_RECORDOPTIONS_H

#include "support/Command.h"

namespace autoprof::cli {

/// Sets the variables for the program to be started. Variables that are set
/// already hold where the option is not given. Fails with one sentence when
/// the values make no sense, alone or together. `TimesSteps`: where the project
/// names its step and no option says what to record, the first steps are left
/// unrecorded and timed.
llvm::Error setRecordVariables(const support::Arguments &Args, bool TimesSteps);

} // namespace autoprof::cli

#endif // AUTOPROF_CLI_RECORDOPTIONS_H
