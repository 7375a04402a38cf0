// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the run would take without one site's waits: a replay of the timeline.
//
// What the host thread did between calls and inside them (without its waits)
// keeps its own duration; each GPU operation keeps its own duration; and the
// order constraints stay:
//   - an operation starts after its launch, after the operation before it on
//     its stream, and after the streams that the legacy default stream's rules
//     or cudaStreamWaitEvent order it with;
//   - a waiting call returns after the operations it waits for, also one that
//     did not have to wait in the recording;
//   - a synchronous copy returns after its own transfer;
//   - a launch that was blocked by a full queue goes on when the same
//     operation as before has finished.
// A replay that drops nothing gives the recorded end again, exactly.
//
// Two replays bound the gain. The low one keeps everything else as slow as it
// was recorded: the call still takes its time outside the wait, an operation
// that is now queued early starts as long after its predecessor as it started
// after its launch, and cudaStreamWaitEvent orders after everything queued
// before it. The high one lets the call cost nothing, lets such an operation
// start as soon as queued operations usually did, and drops the order that
// cudaStreamWaitEvent may or may not have needed. Calls that may or may not
// wait do in the low one, and do not in the high one.
#ifndef AUTOPROF_ANALYSIS_WHATIF_H
#define AUTOPROF_ANALYSIS_WHATIF_H

#include "analysis/Steps.h"
#include "analysis/Waits.h"

#include <string>

namespace autoprof::analysis {

struct Gain {
  int64_t Low = 0, High = 0; ///< ns; 0 <= Low <= High.
};

struct Gains {
  Gain Run;   ///< Over the whole run.
  Gain Steps; ///< Over the steps that count; see Steps::ToOp.
};

class Replay {
public:
  /// All but the steps must outlive the replay.
  Replay(const trace::Timeline &T, const Attribution &A, const WaitList &List,
         const Steps &S = {});

  /// Why this timeline cannot be replayed, or "".
  llvm::StringRef obstacle() const { return Obstacle; }

  /// The end of the run, ns, without the waits of one group of calls (see
  /// groupOf; None: with all waits). Needs a timeline without obstacle.
  int64_t end(uint32_t Removed, bool High) const;

  /// What removing the waits of `Group` saves; the caller limits it to their
  /// exposed stall. Without steps on the GPU's clock Gains::Steps is 0.
  Gains gain(uint32_t Group) const;

private:
  friend class Player;
  const trace::Timeline &T;
  const Attribution &A;
  const std::vector<Wait> &Waits, &Latent;
  const uint32_t FromOp, ToOp;
  std::string Obstacle;
  uint32_t Thread = trace::None;
  int64_t LaunchLatency = 0; ///< ns, launching call's start to start; median.
  int64_t Pause = 0;         ///< ns between queued operations; median.
  /// What one playback found, ns: the run's end, and the time of the steps.
  struct Played {
    int64_t End = 0, Steps = 0;
  };
  struct Both {
    Played Low, High;
  };
  Both All; ///< With all waits.
  /// Launches that a full queue blocked, and the operation whose end let each
  /// go on; sorted by call.
  struct Blocked {
    uint32_t Call, Op;
  };
  std::vector<Blocked> Full;

  Played play(uint32_t Removed, bool High) const;
  Both playBoth(uint32_t Removed) const;
  void findObstacle();
  void measureTypical();
  void findBlocked();
};

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_WHATIF_H
