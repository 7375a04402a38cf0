// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a file to its analysis.
#pragma once

#include "analysis/Analysis.h"
#include "trace/Load.h"

#include <functional>
#include <memory>

namespace autoprof::analysis {

/// What of a file is analyzed.
struct StepChoice {
  std::string Name; ///< Of the steps, as findSteps takes it; "": none is given.
  /// A recording without steps of that name is not an error. If Name is "", the
  /// step is that of the program (trace::Process::step).
  bool FromFile = false;
  std::optional<int64_t> Pid;                 ///< See trace::LoadOptions.
  std::optional<trace::WindowRequest> Window; ///< The part that the user wants.
};

struct Recording {
  std::string Path;
  trace::Timeline T;
  /// Of the machine, as stored in the trace; null: none is, or it is not used.
  std::unique_ptr<catalogue::Semantics> Own;
  Result R;
};

/// What readRecording needs of the program that calls it.
struct Surroundings {
  trace::ProgressFunction Progress; ///< Of reading; may be empty.
  /// Called when reading is done. Gives recorded stacks their places.
  std::function<void(trace::Timeline &)> Place;
  std::function<void(const std::string &)> Warn; ///< A sentence.
};

/// Reads the file, once; chooses the part, which is cut out in memory; finds
/// the steps; and analyzes it. Only of a file that does not fit into memory,
/// the Window alone is read.
///
/// `Given`: what was measured on the machine; null: what the trace has of it.
/// Either is left out, with a warning, for a recording of another GPU. An error
/// names the file. On the heap, because the result refers to it.
llvm::Expected<std::unique_ptr<Recording>>
readRecording(const std::string &Path, const StepChoice &Choice,
              const catalogue::Semantics *Given, const Surroundings &Around);

} // namespace autoprof::analysis
