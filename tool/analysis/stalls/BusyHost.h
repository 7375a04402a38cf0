// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the CPU was in the gaps that it caused: between which two calls the
// launching thread was outside of calls, or in which call it was. A place is
// known only by nesting (a probe, an operator or a recorded stack of the call,
// or the innermost range around it), and is never taken from a neighboring
// call.
#pragma once

#include "analysis/stalls/Gaps.h"

namespace autoprof::analysis {

/// Where a call was made. Both None: the thread made no call before.
struct CallPlace {
  /// Into Timeline::Sites: the call's own site; where it has none (Name is
  /// known), that of the innermost range around it, or None.
  uint32_t Site = trace::None;
  /// Into Timeline::Strings; None where Site is the call's own: the kernel that
  /// it launched, or its name.
  uint32_t Name = trace::None;
  bool IsKernel = false; ///< Whether Name is a kernel's.

  bool isOwn() const { return Site != trace::None && Name == trace::None; }
  bool isKnown() const { return Site != trace::None || Name != trace::None; }
  bool operator==(const CallPlace &B) const {
    return Site == B.Site && Name == B.Name;
  }
};

/// What a launching thread did while the GPU had no work for that reason.
struct BusyRow {
  CallPlace Before, After;
  /// Into Timeline::Strings: it was inside this call, whose place is both
  /// Before and After. None: outside of calls.
  uint32_t Call = trace::None;
  uint64_t Count = 0; ///< Number of times that left a GPU idle.
  /// ns from the end of the call before to the start of the call after, all of
  /// it, whether the GPU idled or not. Of Call: as Idle.
  int64_t Cpu = 0;
  int64_t Idle = 0; ///< ns of gaps that fall into it, over all GPUs.
};

/// Of the gaps whose cause is HostBusy or LaunchBound. Where another thread
/// queued work for the GPU after the launching thread's last call, that is the
/// call before: one thread handed over to the other. Of what lies in `Part`.
std::vector<BusyRow> findBusyHost(const trace::Timeline &T,
                                  const Attribution &A, const Idling &I,
                                  trace::Window Part);

} // namespace autoprof::analysis
