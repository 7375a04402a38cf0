// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may be the steps of a program: the iterations of one loop, the runs of
// one function, or the user's ranges of one name, on one thread.
#pragma once

#include "trace/timeline/Timeline.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace autoprof::analysis {

struct StepCandidate {
  uint32_t Site = trace::None;
  uint32_t Thread = trace::None;
  std::string Name;     ///< A function's, or a range's; "": a loop.
  unsigned Depth = ~0u; ///< Ranges around it, where it is outermost.
  int64_t GpuTime = 0;  ///< ns launched inside, unions not taken.
  int64_t HostTime = 0; ///< ns, of all runs.
  std::vector<uint32_t> Ranges;
};

/// In the order of their sites and threads.
std::vector<StepCandidate> findStepCandidates(const trace::Timeline &T);

/// "loop at train.cu:310 in main".
std::string describe(const trace::Timeline &T, const StepCandidate &C);

/// As --step takes it: "loop:train.cu:310".
std::string nameOf(const trace::Timeline &T, const StepCandidate &C);

/// Those that the user means: by their name, or else by a part of it that no
/// others have. Ranges that could not be steps count as others only where none
/// could: a compiler's passes have the names of what they compile. NoSuchStep
/// with the nearest names.
llvm::Expected<StepCandidate> chooseNamed(const trace::Timeline &T,
                                          llvm::ArrayRef<StepCandidate> All,
                                          llvm::StringRef Name);

/// Fewer runs are not steps.
constexpr size_t FewestRuns = 3;

/// The phases of a program: loops, functions or ranges of the user's that run
/// one after the other, such as a simulation and its output. Each has steps of
/// its own.
///
/// The one that launched the most GPU time first, because start-up may take
/// longer than everything else; none if the phases together launched too little
/// of it to be the program's work. The first of these that hold enough: loops
/// (90 %); loops and functions (half); ranges of the user's (half), but no
/// collectives and no ranges of libraries.
///
/// A loop that holds nearly everything is the program's hot loop. If it has no
/// range, a function that runs once in each iteration takes its place; a loop
/// over the layers inside that function must not. A program that was not
/// compiled with the plugin may have ranges of its own.
///
/// Only what is outermost counts. Of those that take turns three times or more,
/// such as a forward and a backward pass, only the largest does: together they
/// are one step. A range with missing runs (throttled ones without GPU work) is
/// not a phase: its runs cannot be counted.
std::vector<const StepCandidate *>
findPhases(const trace::Timeline &T, llvm::ArrayRef<StepCandidate> All);

/// Whether they are different phases: neither contains the other, and they do
/// not take turns.
bool areApart(const trace::Timeline &T, const StepCandidate &A,
              const StepCandidate &B);

/// The outermost loop (of ranges of the user's: range) inside the runs that
/// ran three times in each, in the mean, and launched at least three quarters
/// of their work; or null.
const StepCandidate *findInner(const trace::Timeline &T,
                               llvm::ArrayRef<StepCandidate> All,
                               const StepCandidate &Outer);

} // namespace autoprof::analysis
