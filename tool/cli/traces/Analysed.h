// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces that the user names, read and analyzed.
#ifndef AUTOPROF_CLI_TRACES_ANALYSED_H
#define AUTOPROF_CLI_TRACES_ANALYSED_H

#include "report/recording/Report.h"
#include "support/Command.h"
#include "support/SemanticsFile.h"
#include "trace/WindowRequest.h"

#include <memory>

namespace autoprof::cli {

/// A trace with its analysis.
struct Analysed {
  std::string Path;
  trace::Timeline T;
  /// Of the machine, as stored in the trace; null: none is, or it is not used.
  std::unique_ptr<catalogue::Semantics> Own;
  analysis::Result R;

  report::Input input() const { return {Path, T, R}; }
};

/// What is looked at: --step, or what `.autoprof` at or above the current
/// folder names, or "" if neither does; and of which process and part.
struct StepChoice {
  std::string Name;
  /// Not of --step: a trace without that step is not an error. If Name is "",
  /// the step is that of the program (trace::Process::step).
  bool FromFile = false;
  std::optional<int64_t> Pid;                 ///< --pid: see trace::load.
  std::optional<trace::WindowRequest> Window; ///< --window=FROM:TO.
  /// Which recordings are analyzed without start-up and tear-down.
  enum { None, WithoutSteps, Every } Steady = None;
};

/// By `Args`. Commands that describe a recording leave out start-up if there
/// are no steps, unless --window is given.

llvm::Expected<StepChoice> chooseStep(const support::Arguments &Args,
                                      bool ForPeople = false);

/// `Measured` may be null; then what the trace has of its machine is used.
/// Either is left out, with a warning, for a recording of another GPU. An error
/// names the file.
llvm::Expected<std::unique_ptr<Analysed>>
analyseFile(const std::string &Path, const StepChoice &Step,
            const catalogue::Semantics *Measured);

/// The same; null after an error, which has been printed.
std::unique_ptr<Analysed> loadAndAnalyse(const std::string &Path,
                                         const StepChoice &Step,
                                         const catalogue::Semantics *Measured);

} // namespace autoprof::cli

#endif // AUTOPROF_CLI_TRACES_ANALYSED_H
