// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that work for another one, like that of PyTorch's autograd engine:
// their work belongs to the ranges that are open on the other thread. The
// profiler's links from a forward operator to its backward operator show this
// (trace::WorkLink). Without links, threads that have no ranges work for the
// only one that has any, if there is one; ranges of libraries do not count.
#pragma once

#include "trace/timeline/Timeline.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace autoprof::analysis {

/// Which threads work for another one, and when.
class WorkOwners {
public:
  explicit WorkOwners(const trace::Timeline &T);

  /// For whom `Thread` works at `Time`; None: for nobody, or for itself.
  uint32_t ownerAt(uint32_t Thread, int64_t Time) const;

  /// Cuts the time from `From` to `To` (ns; not empty) of `Thread` where its
  /// owner enters or leaves a range. Calls `Use` with each piece and the
  /// innermost range (into HostEvents) that is open on the owner, or None.
  void forEachRange(
      uint32_t Thread, int64_t From, int64_t To,
      llvm::function_ref<void(int64_t From, int64_t To, uint32_t Range)> Use)
      const;

private:
  /// Up to `Until`, which counts, a helper works for `Owner`.
  struct Duty {
    int64_t Until;
    uint32_t Owner;
  };
  /// From `From` on, up to the next one, `Range` is the innermost.
  struct Change {
    int64_t From;
    uint32_t Range;
  };
  std::vector<std::vector<Duty>> Duties;    ///< By thread; empty: no helper.
  std::vector<std::vector<Change>> Changes; ///< By thread; of owners.

  void readLinks(const trace::Timeline &T);
  void findHelpers(const trace::Timeline &T);
  void findRanges(const trace::Timeline &T);
};

} // namespace autoprof::analysis
