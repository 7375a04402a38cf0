// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that work for another one, like that of PyTorch's autograd engine:
// their work belongs to the ranges that are open on the other thread. The
// profiler's links from a forward operator to its backward operator show this
// (trace::WorkLink). Without links, threads that have no ranges work for the
// only one that has any, if there is one; ranges of libraries do not count.
#pragma once

#include "trace/timeline/Timeline.h"

namespace autoprof::analysis {

/// Which threads work for another one, and when.
class WorkOwners {
public:
  explicit WorkOwners(const trace::Timeline &T);

  /// For whom `Thread` works at `Time`; None: for nobody, or for itself.
  uint32_t ownerAt(uint32_t Thread, int64_t Time) const;

private:
  /// Up to `Until`, which counts, a helper works for `Owner`.
  struct Duty {
    int64_t Until;
    uint32_t Owner;
  };
  std::vector<std::vector<Duty>> Duties; ///< By thread; empty: no helper.

  void readLinks(const trace::Timeline &T);
  void findHelpers(const trace::Timeline &T);
};

/// The GPU's work that threads launch in ranges.
class LaunchedWork {
public:
  explicit LaunchedWork(const trace::Timeline &T);

  /// Whether a call is of the work of that thread: its own, or a helper's. That
  /// of a lane is the work of all threads.
  bool isOf(uint32_t Thread, uint32_t Call) const;
  /// ns launched in a range (into HostEvents).
  int64_t in(uint32_t Range) const;

private:
  struct Sum {
    std::vector<int64_t> Start, Before{0}; ///< Of each launch; sums before it.
  };
  const trace::Timeline &T;
  const WorkOwners Owners;
  Sum All;
  std::vector<Sum> OfThread;
};

} // namespace autoprof::analysis
