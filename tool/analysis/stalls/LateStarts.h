// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that the GPU had in its queue and started late: after a pause far
// longer than usual for this device between queued operations. Launching is not
// the cause, and the trace shows the cause only sometimes.
#ifndef AUTOPROF_ANALYSIS_STALLS_LATESTARTS_H
#define AUTOPROF_ANALYSIS_STALLS_LATESTARTS_H

#include "analysis/common/Names.h"
#include "analysis/replay/Pauses.h"
#include "analysis/stalls/Idle.h"

#include "llvm/ADT/DenseMap.h"

namespace autoprof::analysis {

/// Why a queued operation started late, as far as the trace shows.
enum class LateReason : uint8_t {
  NotLate,
  Event,   ///< Its stream was told to wait for an event (cudaStreamWaitEvent).
  Copying, ///< The call that queued the copy was still working, for example
           ///< moving pageable memory.
  Unknown  ///< Such as another process that used the GPU.
};

inline llvm::StringRef name(LateReason R) {
  return nth(R, {"", "event", "copying", "unknown"});
}

struct LateStart {
  LateReason Why = LateReason::NotLate;
  uint32_t Call = trace::None; ///< Into HostEvents: the call that asked for it.
};

class LateStarts {
public:
  explicit LateStarts(const trace::Timeline &T);

  /// No pause up to this is late, ns: see limit().
  static constexpr int64_t ShortestLimit = 20'000;

  /// Of a gap whose next operation was queued when it began (wasQueued).
  LateStart explain(const Gap &G);

  /// Longer pauses than this are not the device's own, ns: ten times the median
  /// of the recording's pauses of this kind, but not below what single pauses
  /// of an undisturbed GPU reach, nor above what no GPU needs
  /// (docs/model.md).
  int64_t limit(const Gap &G) const;

private:
  const trace::Timeline &T;
  const Pauses Usual;
  /// Records of cudaStreamWaitEvent by the stream that waits, by start.
  llvm::DenseMap<uint32_t, std::vector<uint32_t>> EventWaits;
  /// Made when the first late start is explained; by stream, in order.
  std::vector<std::vector<uint32_t>> OpsOfQueue;

  uint32_t findEventWait(const Gap &G);
  bool isStillCopying(const Gap &G) const;
};

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_STALLS_LATESTARTS_H
