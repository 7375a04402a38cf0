// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which lines of the program the CPU was in while the GPU lacked work: from
// samples of a thread (Timeline::Samples). Where the recorder looked more
// rarely, a sample counts as several, so that each stands for the same time and
// a line's share of the samples is its share of the time.
#pragma once

#include "analysis/stalls/Gaps.h"

#include <optional>
#include <vector>

namespace autoprof::analysis {

/// A line in the tree of calls: what the lines around it led to.
struct HostLine {
  uint32_t Site;                 ///< Into Timeline::Sites.
  uint32_t Parent = trace::None; ///< Into HostLines::Tree.
  /// Samples in it and in what it called.
  uint64_t Samples = 0; ///< While the GPU lacked work.
  /// Of these, in which the thread slept and no other one launched kernels
  /// meanwhile.
  uint64_t Asleep = 0;
  uint64_t All = 0; ///< Whatever the GPU did.
  /// Only inside of the place where a wait would be placed, such as in the
  /// array library (SamplePath::Place).
  bool IsInner = true;
};

/// A line at which the thread sleeps until another one has waited for the GPU,
/// and does nothing else meanwhile.
struct SleepingLine {
  uint32_t Site;        ///< Into Timeline::Sites.
  uint64_t Samples = 0; ///< In it, whatever the thread did.
  uint64_t Waits = 0;   ///< Of these, in which it slept for the GPU.
};

/// Of one thread, in one window.
struct HostLines {
  uint32_t Thread = trace::None;
  /// Where the thread slept is not known (ThreadState::OnTimer).
  bool OnlyRunning = false;
  uint64_t Samples = 0; ///< All of them.
  uint64_t Idle = 0;    ///< While the GPU lacked work.
  /// ns of the window that the thread ran, and that it was ready to run and did
  /// not; nothing: not known. For the rest it slept.
  int64_t Ran = 0;
  std::optional<int64_t> Delayed;
  /// A parent comes before its children, and those in order of Samples.
  std::vector<HostLine> Tree;
  std::vector<SleepingLine> Sleeping; ///< In order of Waits, the most first.

  /// In a line of the source, wherever it was called from, and in what it
  /// called; whatever the GPU did.
  uint64_t samplesAt(const trace::Timeline &T, const trace::Site &Line) const;

  /// How far a line's share may be off, 95 of 100 times; from 0 to 1.
  double error(uint64_t OfLine) const;
};

/// Of the thread that launches most of those that were sampled. The GPU lacks
/// work where the cause of its gaps is the CPU (Cause::HostBusy and
/// LaunchBound). nullopt: there are no samples in the window (on the GPU).
std::optional<HostLines> findHostLines(const trace::Timeline &T,
                                       const Attribution &A,
                                       const std::vector<Wait> &Waits,
                                       const Idling &I, trace::Window Part);

/// The lines of the tree that are worth showing, by their number in it: where a
/// line passes nearly all of its time on to one that it calls, that one takes
/// its place, unless the first says more to the user (trace::CodeOwner); none
/// of Python itself or an array library; and none that has less than
/// `Least` (a share of all samples) or too few samples to tell. In the tree's
/// order; Depths[I] is how many of the lines shown it is inside of. Inner lines
/// are not shown.
struct Outline {
  std::vector<uint32_t> Lines, Depths;
};
Outline outline(const trace::Timeline &T, const HostLines &H, double Least);

/// The innermost statement of the user's that half of the GPU's lack of work or
/// more is spent in, with what it calls; not one inside of a module of PyTorch.
/// A line that leads to everything is named only if all of the rest is others'
/// code. Null: there is none.
const HostLine *mainStatement(const trace::Timeline &T, const HostLines &H);

} // namespace autoprof::analysis
