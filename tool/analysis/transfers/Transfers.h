// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole cost of copies between host and device: the host's time in the
// calls, and the time of the GPU's copy engines. For a part of its time the
// host waits for earlier work; for the rest it is busy with the copy (the
// driver copies pageable memory in pieces, on the CPU).
#pragma once

#include "analysis/transfers/CopyTimes.h"
#include "analysis/waits/Waits.h"

#include <algorithm>

namespace autoprof::analysis {

struct TransferSums {
  uint64_t Count = 0, Bytes = 0;
  int64_t Host = 0;    ///< ns in the calls that copy.
  int64_t Waiting = 0; ///< ns of Host: for earlier work.
  int64_t Gpu = 0;     ///< ns, durations on the GPU.

  int64_t cost() const { return std::max(Host - Waiting, Gpu); }
};

/// The copies of one direction and kind of memory at one site, or of the calls
/// of one name without a site.
struct TransferRow {
  uint32_t Group = 0;          ///< See groupOf.
  uint32_t Site = trace::None; ///< Into Timeline::Sites.
  std::string Call;            ///< As SiteRow::Call.
  trace::Direction Dir = trace::Direction::Unknown;
  trace::MemoryKind Memory = trace::MemoryKind::Unknown; ///< The host's.
  /// Whether the host continues only when the copy is done: the call is
  /// synchronous, or another call of the group waits.
  bool Blocks = false;
  TransferSums Run;
  std::optional<TransferSums> Steps; ///< Of the steps that count, if known.
  /// How long one of the mean size would take on the GPU with pinned memory;
  /// for pageable memory, if it was replayed.
  std::optional<PinnedCopies::Estimate> Pinned;

  /// Of the steps that count, or of the run.
  const TransferSums &sums() const { return Steps ? *Steps : Run; }
};

/// Copies of fewer bytes on average are waits, not transfers.
constexpr uint64_t SmallTransfer = 64 * 1024;

/// Whether a transfer costs enough to be asked about: a hundredth of `Whole`,
/// ns, of the steps that count or of the run.
inline bool isWorthAsking(const TransferRow &Row, int64_t Whole) {
  const TransferSums &S = Row.sums();
  return S.Count && S.Bytes / S.Count >= SmallTransfer &&
         100 * S.cost() >= Whole;
}

/// The steps that count: windows of host and GPU, and the part of each wait in
/// them, ns.
struct TransferWindows {
  trace::Window Host, Gpu;
  const std::vector<int64_t> &WaitOf;
};

/// By host and GPU time, descending, in the steps where these are known.
/// Copies that a graph or a library's call makes among other work are left
/// out: their call's time is not theirs.
std::vector<TransferRow> sumTransfers(const trace::Timeline &T,
                                      const Attribution &A,
                                      const std::vector<Wait> &Waits,
                                      const TransferWindows *Steps);

/// Whether the host's call waits for the copy by its name: "cudaMemcpy", not
/// "cudaMemcpyAsync".
inline bool isSynchronousCopy(llvm::StringRef Call) {
  return !Call.contains("Async");
}

} // namespace autoprof::analysis
