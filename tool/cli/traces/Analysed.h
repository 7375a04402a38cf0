// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces that the user names, read and analyzed.
#pragma once

#include "analysis/Analysis.h"
#include "report/recording/Report.h"
#include "support/Command.h"
#include "support/SemanticsFile.h"
#include "trace/Load.h"

#include <memory>

namespace autoprof::cli {

/// What of a file is analyzed.
struct StepChoice {
  std::string Name; ///< Of the steps, as findSteps takes it; "": none is given.
  /// A recording without steps of that name is not an error. If Name is "", the
  /// step is that of the program (trace::Process::step).
  bool FromFile = false;
  std::optional<int64_t> Pid;                 ///< See trace::LoadOptions.
  std::optional<trace::WindowRequest> Window; ///< The part that the user wants.
};

struct Analysed {
  std::string Path;
  trace::Timeline T;
  /// Of the machine, as stored in the trace; null: none is, or it is not used.
  std::unique_ptr<catalogue::Semantics> Own;
  analysis::Result R;
};

inline report::Input inputOf(const Analysed &A) { return {A.Path, A.T, A.R}; }

/// What is looked at, by --step, --pid and --window; without --step, the step
/// that `.autoprof` at or above the current folder names.
llvm::Expected<StepChoice> chooseStep(const support::Arguments &Args);

/// Reads the file, once, and shows the progress; chooses the part, which is cut
/// out in memory; finds the steps; and analyzes it. Only of a file that does
/// not fit into memory, the Window alone is read.
///
/// `Given`: what was measured on the machine; null: what the trace has of it.
/// Either is left out, with a warning, for a recording of another GPU. An error
/// names the file. On the heap, because the result refers to it.
llvm::Expected<std::unique_ptr<Analysed>>
analyseFile(const std::string &Path, const StepChoice &Choice,
            const catalogue::Semantics *Given);

} // namespace autoprof::cli
