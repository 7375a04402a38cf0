// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the event ids of a trace to its calls, for TimelineBuilder.
#pragma once

#include "trace/timeline/Timeline.h"

#include "llvm/ADT/bit.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace autoprof::trace {

/// Finds the call of an event id. A runtime call and the driver call nested in
/// it may share one; the outermost comes first and wins.
class CallIndex {
  // Ids of one process are a counter, often shifted above bits that are the
  // same in all of them: an array nearly always fits; a map serves the rest.
  uint64_t Lowest = std::numeric_limits<uint64_t>::max(), Highest = 0;
  unsigned Shift = 0;
  std::vector<uint32_t> Dense;
  std::unordered_map<uint64_t, uint32_t> Sparse;

  uint64_t slot(uint64_t Id) const { return (Id - Lowest) >> Shift; }

public:
  explicit CallIndex(const std::vector<uint64_t> &Ids) {
    size_t Count = 0;
    uint64_t Differing = 0, Any = 0;
    for (uint64_t Id : Ids)
      if (Id) {
        Any = Any ? Any : Id;
        Differing |= Id ^ Any;
        Lowest = std::min(Lowest, Id);
        Highest = std::max(Highest, Id);
        ++Count;
      }
    if (!Count)
      return;
    Shift = Differing ? llvm::countr_zero(Differing) : 0;
    if (slot(Highest) < 8 * Count + 1024)
      Dense.assign(slot(Highest) + 1, None);
    for (size_t I = 0; I < Ids.size(); ++I) {
      if (!Ids[I])
        continue;
      if (Dense.empty())
        Sparse.try_emplace(Ids[I], uint32_t(I));
      else if (uint32_t &Slot = Dense[slot(Ids[I])]; Slot == None)
        Slot = I;
    }
  }

  uint32_t find(uint64_t Id) const {
    if (!Id || Id < Lowest || Id > Highest)
      return None;
    if (!Dense.empty())
      return slot(Id) << Shift == Id - Lowest ? Dense[slot(Id)] : None;
    auto It = Sparse.find(Id);
    return It == Sparse.end() ? None : It->second;
  }
};

} // namespace autoprof::trace
