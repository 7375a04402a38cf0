// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the runs of `autoprof try` (docs/try.md, "How it is measured").
#pragma once

#include "analysis/comparison/Experiments.h"
#include "cli/compare/Process.h"
#include "cli/traces/Analysed.h"

namespace autoprof::cli {

struct ExperimenterOptions {
  std::string Folder; ///< For all files; it exists.
  StepChoice Step;
  std::optional<int64_t> TimeLimit; ///< ns
  size_t MostChanges = 6;
  size_t MostRuns = 8; ///< Of each change.
  double Precision = 0.01;
  std::string Site;               ///< Only places whose name has this in it.
  std::vector<std::string> Files; ///< Output besides standard output.
};

class Experimenter : public Runner {
public:
  /// `S` has the command; it gets everything else.
  Experimenter(ExperimenterOptions Options, analysis::ExperimentSeries &S);

  /// Records the program, and proposes what to try. An error is that the
  /// program failed, or used no GPU.
  llvm::Error record();
  /// Runs until each answer is clear, or narrow, or a limit is reached, or the
  /// user interrupts it. An error is that the program failed as it is.
  llvm::Error measure();

  /// After record().
  const Analysed &recording() const { return *Recording; }

private:
  struct Run {
    RunOutcome Outcome;
    uint64_t Launches = 0, Changed = 0;
    std::vector<int64_t> Parts; ///< ns per step, of those that were reached.
    std::string Message;        ///< If it failed: its last line.
  };

  llvm::Error findLibrary();
  llvm::Error limitProposals();
  std::string boundsOf(bool IsOdd) const;
  llvm::Expected<Run> runOnce(const std::string &Switches,
                              const std::string &Bounds = "");
  void readReports(Run &R);
  llvm::Expected<std::string> hashOutput() const;
  llvm::Error runBase();
  /// An experiment, and its lines of runtime::ExperimentVariable.
  struct Racer {
    analysis::Experiment *E;
    std::string Switches;
  };
  llvm::Error runWhole(const Racer &R);
  llvm::Error runInParts(const Racer &R, bool IsOdd);
  llvm::Error race(std::vector<Racer> Racing);
  llvm::Error tryTogether();

  ExperimenterOptions Options;
  analysis::ExperimentSeries &Series;
  std::string Library;
  std::unique_ptr<Analysed> Recording;
  std::vector<analysis::LaunchPart> Parts;
  std::vector<std::string> BaseOutputs; ///< Different ones.
  uint64_t BaseLaunches = 0;
  int64_t LongestBase = 0; ///< ns
};

} // namespace autoprof::cli
