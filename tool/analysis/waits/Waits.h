// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The waits of a recording: host time inside a call while it waits for GPU
// work queued earlier.
//
// CUPTI's synchronization records show only explicit synchronizations; for a
// cudaMemcpy or cudaFree that waits 20 ms they show nothing. So waits are
// derived. The catalogue has what a call may wait for (its stream, an event,
// the device); the trace has the operations that had been queued there before
// the call began, and when the last of them ended. If the call was still
// running then, it waited, from its start to that end. What follows - its own
// copy, freeing, the way back - is not part of the wait. If the call returned
// before that end, it did not wait for them, whatever the catalogue has.
//
// A call that, by the catalogue, only may wait needs evidence: see
// `MinEvidence` in Waits.cpp. A missed wait is better than a false one.
#pragma once

#include "analysis/waits/Attribution.h"
#include "catalogue/Semantics.h"

namespace autoprof::analysis {

/// The operations that a wait depends on, so that a replay can wait for them
/// again.
enum class WaitScope : uint8_t {
  Operation, ///< Wait::LastOp (an event, or a stream the trace does not name).
  Stream,    ///< Everything on Wait::Queue.
  Legacy,    ///< Everything on Wait::Queue and the streams ordered with it.
  Device     ///< Everything on the device.
};

struct Wait {
  uint32_t Call; ///< Into HostEvents.
  uint32_t Site; ///< Into Timeline::Sites, or None.
  uint32_t Device;
  uint32_t LastOp; ///< Into GpuOps: the operation whose end ended the wait.
  uint32_t Queue;  ///< Into Timeline::Queues: LastOp's, or the call's own.
  WaitScope Scope;
  bool Certain; ///< Latent ones: whether such a call always waits.
  trace::Direction CopyDirection; ///< Of the call's own copy, if it has one.
  int64_t Start, End;             ///< ns

  int64_t length() const { return End - Start; }
};

/// Both in order of Start. Empty when the trace has no GPU operations: then
/// waits are unknown, not zero.
struct WaitList {
  std::vector<Wait> Waits;
  /// Calls whose work was already done, of length 0. If it were not, because an
  /// earlier wait is left out, they would wait.
  std::vector<Wait> Latent;
};

/// `Measured`: what was measured on the machine of the recording, or null.
WaitList findWaits(const trace::Timeline &T, const Attribution &A,
                   const catalogue::Semantics *Measured = nullptr);

/// Whether a wait for `Stream` includes work on `Other`: the same stream, or
/// the rules of the legacy default stream within one context.
bool isOrderedWith(const trace::Queue &Stream, const trace::Queue &Other);

/// One run of an operator of a framework that only reads from the GPU, such as
/// aten::item: all calls in it belong to one group (see groupOf), and queue
/// nothing but copies to the host. Whoever removes such a call also saves the
/// CPU time of the operator around it, which in a CPU-bound step costs more
/// than the wait.
struct ReadBack {
  uint32_t Thread; ///< Into Timeline::Threads.
  uint32_t Group;
  int64_t Start, End; ///< ns
};

/// By thread, then start. Empty where no operators were recorded.
///
/// The outermost operator counts if every operator of the path is PyTorch's own
/// ("aten::"): a range of the user's or of a data loader may do other work. If
/// the outermost one does other work, the operator that made the calls counts.
std::vector<ReadBack> findReadBacks(const trace::Timeline &T,
                                    const Attribution &A);

} // namespace autoprof::analysis
