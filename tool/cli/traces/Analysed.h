// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces that the user names, read and analyzed.
#pragma once

#include "analysis/Recording.h"
#include "report/recording/Report.h"
#include "support/Command.h"
#include "support/SemanticsFile.h"

namespace autoprof::cli {

using Analysed = analysis::Recording;
using analysis::StepChoice;

inline report::Input inputOf(const Analysed &A) { return {A.Path, A.T, A.R}; }

/// What is looked at, by --step, --pid and --window; without --step, the step
/// that `.autoprof` at or above the current folder names.
llvm::Expected<StepChoice> chooseStep(const support::Arguments &Args);

/// See analysis::readRecording. Shows the progress, and prints warnings.
llvm::Expected<std::unique_ptr<Analysed>>
analyseFile(const std::string &Path, const StepChoice &Step,
            const catalogue::Semantics *Measured);

} // namespace autoprof::cli
