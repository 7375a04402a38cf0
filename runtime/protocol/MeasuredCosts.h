// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of recording on this machine, which `autoprof run` passes to the
// recorded process. Depends only on the C++ library.
#pragma once

#include <cstdint>
#include <string>

namespace autoprof::runtime {

/// CPU time of one call, ns.
struct CallCosts {
  uint64_t Launch = 0; ///< A kernel launch.
  uint64_t Wait = 0;   ///< A wait with nothing to wait for.
};

struct MeasuredCosts {
  CallCosts Unrecorded, Recorded;

  bool isKnown() const { return Unrecorded.Launch && Recorded.Launch; }
  /// The costs as "2010,240,3420,610".
  std::string text() const;
};

/// The reverse of text(). Returns false, and leaves `Costs` alone, if `Text` is
/// anything else.
bool parseCosts(const std::string &Text, MeasuredCosts &Costs);

} // namespace autoprof::runtime
