// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a change is expected to save in a run that is not recorded: one figure,
// and an interval around it (docs/model.md, "The estimate and its interval").
// A half of a factorial design (Box, Hunter and Hunter, "Statistics for
// Experimenters", chapter 6) gets these from four replays, or from eight. And
// what full recording adds to the calls of the program.
#pragma once

#include "trace/timeline/Timeline.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace autoprof::analysis {

/// ns; Low < Middle < High. Low is negative where the change may as well cost
/// time.
struct Estimate {
  int64_t Middle = 0, Low = 0, High = 0;
};

/// The smallest saving per step that can be distinguished from none, ns: what
/// two processes of one program differ by, and at least the cost of one more
/// call (docs/model.md, "The estimate and its interval").
int64_t resolution(int64_t Step);

/// What the steps' time depends on most.
enum class Limiter : uint8_t { Gpu, Host, Both };

/// What an estimate's interval has to allow for beyond the replay's own
/// assumptions, ns per step or of a run.
struct Spread {
  int64_t Resolution = 0; ///< See resolution().
  /// How far measured gains are from estimates: processes of one program
  /// differ, by more if the time depends on the host.
  int64_t OfMeasured = 0;
};

Spread spread(int64_t Step, Limiter Limit);
inline Spread operator*(int64_t Count, Spread OfOne) {
  return {Count * OfOne.Resolution, Count * OfOne.OfMeasured};
}

/// `Saved`: by replay. `Levels`: what each replay assumed, a bit for each
/// assumption; every bit is set in half of them. A replay that saves less than
/// nothing counts as saving nothing. The spread is one more uncertainty that is
/// independent of the others. Low is not below minus the resolution.
Estimate combine(llvm::ArrayRef<int64_t> Saved, llvm::ArrayRef<unsigned> Levels,
                 const Spread &Processes);

/// What full recording adds to a call that queues work, and to any other, ns on
/// the launching thread.
struct RecorderCost {
  int64_t Launch = 0, Call = 0;
  /// What launching a graph takes if it is not recorded, however many nodes it
  /// has. Everything beyond is due to the recorder, which takes longer for each
  /// node. 0: nothing is subtracted.
  int64_t GraphLaunch = 0;
};

/// The least and the most that full recording added on machines with an H200
/// (docs/performance.md, "A launch"): they differ by more than a factor of
/// three. The fallback where the recording's machine was not measured.
constexpr RecorderCost LeastAdded{930, 500, 4'600},
    MostAdded{3'290, 1'090, 2'300};

struct RecorderCostRange {
  RecorderCost Least = LeastAdded, Most = MostAdded;
  bool Measured = false; ///< On this recording's machine.
};

/// What was measured on the recording's machine, widened by how much such a
/// measurement differs from the cost of the program's own calls; else the
/// built-in range.
RecorderCostRange recorderCost(const trace::Timeline &T);

} // namespace autoprof::analysis
