// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a stream pauses between two operations that are both queued, by what
// they are. It is measured in the recording itself if such a pair was queued;
// else a calibration of the machine is used, or what was measured on the H200
// (docs/model.md, "Pauses").
#pragma once

#include "analysis/transfers/CopyTimes.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>

namespace autoprof::analysis {

/// A pair of operations that follow each other on a stream.
struct Succession {
  bool ChangesEngine = false; ///< One of them is a copy, the other is not.
  uint32_t Events = 0;        ///< Events recorded between their launches.
};

class Pauses {
public:
  /// `Calibration`: of the recording's machine, or null.
  explicit Pauses(const trace::Timeline &T,
                  const catalogue::Semantics *Calibration = nullptr);

  /// ns. A tenth of the pauses are shorter than Short; Long is twice the
  /// median. Where it was not measured, two thirds and one and a half times
  /// what it takes on the H200.
  struct Range {
    int64_t Short = 0, Long = 0;
  };
  Range of(const Succession &S) const;

  /// Where the pause between two such operations comes from.
  ConstantSource source(bool ChangesEngine) const {
    return Sources[ChangesEngine];
  }
  /// Whether of() was asked about them.
  bool isUsed(bool ChangesEngine) const { return Used[ChangesEngine]; }
  /// What the recording itself has; those with too few samples are left out.
  const std::vector<catalogue::PauseTime> &measured() const { return Found; }

  /// After a kernel, the GPU pauses longer if more operations are queued, up to
  /// this many.
  static constexpr uint32_t DeepQueue = 32;
  /// By how much at most, ns; it may also be nothing. As measured on the H200
  /// (docs/model.md, "Pauses").
  static int64_t longerWith(uint32_t Queued) {
    constexpr int64_t MostInDeepQueue = 530;
    return std::min(Queued, DeepQueue) * MostInDeepQueue / DeepQueue;
  }

  /// Calls of cudaEventRecord among T's host events, by index.
  const std::vector<uint32_t> &eventCalls() const { return EventCalls; }

private:
  static constexpr uint32_t MaxEvents =
      2; ///< A larger number counts as this one.
  static constexpr size_t MinSamples = 8;
  /// By ChangesEngine, then Events; nullopt where there are too few samples.
  std::array<std::array<std::optional<Range>, MaxEvents + 1>, 2> Measured;
  std::array<ConstantSource, 2> Sources{ConstantSource::BuiltIn,
                                        ConstantSource::BuiltIn};
  mutable std::array<std::atomic<bool>, 2> Used{}; ///< Replays run on threads.
  std::vector<catalogue::PauseTime> Found;

  void add(const catalogue::PauseTime &P, ConstantSource From);
  std::vector<uint32_t> EventCalls;
};

inline bool changesEngine(trace::OpKind A, trace::OpKind B) {
  return (A == trace::OpKind::Copy) != (B == trace::OpKind::Copy);
}

} // namespace autoprof::analysis
