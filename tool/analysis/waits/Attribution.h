// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which place in the source each API call belongs to.
#pragma once

#include "trace/timeline/Timeline.h"

namespace autoprof::analysis {

/// One row for each host event; None where the event is not a call.
struct Attribution {
  /// Into Timeline::Sites: the innermost site slice of the same thread that
  /// encloses the call; else where the call's recorded stack begins; or None.
  /// So a call inside a library (cublasDestroy calls cudaDeviceSynchronize)
  /// belongs to the line that called the library.
  std::vector<uint32_t> Site;
  /// Into HostEvents: the outermost call around the call, or the call itself.
  std::vector<uint32_t> Outer;

  /// Whether the site of the call is known by its stack only: no site slice
  /// encloses it.
  std::vector<bool> IsByStack;
};

Attribution attribute(const trace::Timeline &T);

/// Calls that a report shows as one row: those of one site, or those of one
/// name that no site encloses. Dense numbers below numGroups.
inline uint32_t groupOf(const trace::Timeline &T, const Attribution &A,
                        uint32_t Call) {
  uint32_t Site = A.Site[Call];
  return Site != trace::None ? Site
                             : uint32_t(T.Sites.size()) + T.Host.Name[Call];
}
inline uint32_t numGroups(const trace::Timeline &T) {
  return uint32_t(T.Sites.size() + T.Strings.size());
}

} // namespace autoprof::analysis
