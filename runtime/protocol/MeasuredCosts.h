// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What recording costs on this machine, as `autoprof run` tells it to the
// recorded process. It needs the C++ library only.
#ifndef AUTOPROF_RUNTIME_PROTOCOL_MEASUREDCOSTS_H
#define AUTOPROF_RUNTIME_PROTOCOL_MEASUREDCOSTS_H

#include <cstdint>
#include <string>

namespace autoprof::runtime {

/// CPU time of one call, ns.
struct CallCosts {
  uint64_t Launch = 0; ///< Of a kernel.
  uint64_t Wait = 0;   ///< That has nothing to wait for.
};

struct MeasuredCosts {
  CallCosts Unrecorded, Recorded;

  bool isKnown() const { return Unrecorded.Launch && Recorded.Launch; }
  /// "2010,240,3420,610".
  std::string text() const;
};

/// The reverse of text(). False, and nothing, for anything else.
bool parseCosts(const std::string &Text, MeasuredCosts &Costs);

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_PROTOCOL_MEASUREDCOSTS_H
