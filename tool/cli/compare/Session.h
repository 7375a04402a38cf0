// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the runs of a comparison: first one recording of each side, which finds
// its steps, warms up files and caches, and is not compared; then runs in the
// order A B B A, of which only the step times are known.
#pragma once

#include "analysis/comparison/Trials.h"
#include "cli/compare/Clocks.h"
#include "cli/compare/Process.h"
#include "cli/recorder/RecorderVariables.h"
#include "cli/traces/Analysed.h"

#include <array>

namespace autoprof::cli {

struct SessionOptions {
  std::string Folder;               ///< For all files; it exists.
  StepChoice Step;                  ///< Of both sides.
  std::string RecordSteps;          ///< As `run --steps` takes it; "": all.
  std::optional<int64_t> TimeLimit; ///< ns
  bool WallOnly = false;            ///< The process is what is timed.
  bool CompareOutput = false;
  bool IgnoreFailure = false; ///< Of the programs.
};

/// A program that could not be run, or failed.
class SideFailure : public llvm::ErrorInfo<SideFailure> {
public:
  static char ID;
  SideFailure(bool IsNew, std::string Message)
      : IsNew(IsNew), Message(std::move(Message)) {}
  void log(llvm::raw_ostream &Out) const override { Out << Message; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
  const bool IsNew;

private:
  std::string Message;
};

class Session : public Runner {
public:
  /// `T` has the commands and the limits; it gets the runs.
  Session(SessionOptions Options, analysis::Trials &T);

  /// Records each side once and finds its steps. A program without steps is
  /// timed as a whole afterwards.
  llvm::Error record();
  /// Runs until the answer is clear, or narrow, or a limit is reached, or the
  /// user interrupts it.
  llvm::Error measure();

  /// The recordings; null where there is none. Of a self-test both are one.
  Analysed *recording(bool IsNew) {
    return Recordings[T.SelfTest ? 0 : IsNew].get();
  }

private:
  /// Steps From to To - 1 of each part.
  struct Part {
    uint64_t From, To;
  };

  llvm::Error recordSide(bool IsNew);
  llvm::Expected<analysis::Trial> runOnce(bool IsNew);
  llvm::Error readParts(const std::string &Path, bool IsNew,
                        analysis::Trial &Run);
  llvm::Expected<RunOutcome> start(bool IsNew,
                                   const std::vector<std::string> &Recorder,
                                   const Variables &Added);
  llvm::Expected<Variables> stepTimer(bool IsNew, const std::string &Path);
  void showProgress(const analysis::StoppingPlan &Plan);
  analysis::TrialSide &side(bool IsNew) { return IsNew ? T.New : T.Base; }

  SessionOptions Options;
  analysis::Trials &T;
  Clocks Watch;
  std::array<std::unique_ptr<Analysed>, 2> Recordings;
  std::array<std::vector<Part>, 2> Parts;
};

} // namespace autoprof::cli
