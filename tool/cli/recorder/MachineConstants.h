// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures copies and pauses of this machine by recording a short program that
// exercises them: this one.
#ifndef AUTOPROF_CLI_RECORDER_MACHINECONSTANTS_H
#define AUTOPROF_CLI_RECORDER_MACHINECONSTANTS_H

#include "catalogue/Semantics.h"

#include "llvm/Support/Error.h"

namespace autoprof::cli {

/// Of a GPU, counted from 0; takes a few seconds. Its trace goes into a
/// temporary folder, which is removed. An error is a sentence.
llvm::Expected<catalogue::Constants> recordConstants(int Device);

/// What a recording shows about its machine, with the GPU's name and without
/// observations. An error is a sentence.
llvm::Expected<catalogue::Semantics> constantsOf(llvm::StringRef Trace);

} // namespace autoprof::cli

#endif // AUTOPROF_CLI_RECORDER_MACHINECONSTANTS_H
