// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long the run would take if some calls waited differently: a replay of the
// timeline (docs/model.md, "The replay"). One that changes nothing gives the
// recorded end again, exactly.
#pragma once

#include "analysis/replay/Estimate.h"
#include "analysis/replay/Pauses.h"
#include "analysis/steps/Steps.h"
#include "analysis/waits/Waits.h"

#include "llvm/ADT/ArrayRef.h"

#include <algorithm>
#include <optional>
#include <string>

namespace autoprof::analysis {

struct Gain {
  int64_t Low = 0, High = 0; ///< ns; 0 <= Low <= High.
};

/// What becomes of a call that waits.
enum class Edit : uint8_t {
  None,
#define AUTOPROF_EDIT(Kind, Name) Kind,
#include "analysis/replay/Edits.def"
#undef AUTOPROF_EDIT
};

/// By value of Edit; None has none.
inline constexpr llvm::StringLiteral EditNames[] = {
    "",
#define AUTOPROF_EDIT(Kind, Name) Name,
#include "analysis/replay/Edits.def"
#undef AUTOPROF_EDIT
};
inline llvm::StringRef name(Edit E) { return EditNames[unsigned(E)]; }

/// What becomes of the calls of one group (see groupOf).
struct Change {
  uint32_t Group = 0;
  Edit Kind = Edit::None;
  /// Of edits that concern copies, from Pin on.
  trace::Direction Dir = trace::Direction::Unknown;

  bool isOfTransfers() const { return Kind >= Edit::Pin; }
};

/// Changes of a program that are made together.
struct Plan {
  std::vector<Change> Changes; ///< At most one for each group.
  /// Of all groups without a change.
  Edit OfOthers = Edit::None;

  Plan() = default;
  Plan(Edit Kind, llvm::ArrayRef<uint32_t> Groups);
  /// Removes all waits: the bound of what not waiting can save.
  static Plan withoutWaits();
};

/// Consecutive steps that stand for all that count: a replay of everything
/// takes too long in recordings of many operations.
struct StepSample {
  size_t First = 0, Steps = 0; ///< Into Steps::List; Steps 0: there are none.
  int64_t Mean = 0, MeanOfAll = 0; ///< ns, of a step.
};

/// What a plan saves, ns: in the steps that count, or, where these are not on
/// the GPU's clock, in the run.
struct PlanAnswer {
  Gain Saved;
  /// In a run that is not recorded; nullopt where the recorder's cost is not
  /// known.
  std::optional<Estimate> Unrecorded;

  int64_t middle() const {
    return Unrecorded ? Unrecorded->Middle : (Saved.Low + Saved.High) / 2;
  }
};

/// What a recording does not show. The gain is between the replays of all
/// combinations.
struct Assumptions {
  /// False: a removed call still takes its time outside the wait, and calls
  /// that may or may not wait do. True: a removed call costs nothing, one that
  /// was made asynchronous what a launch usually costs, and calls that may or
  /// may not wait do not.
  bool FastCalls = false;
  /// How long an operation that is now queued early pauses after its
  /// predecessor. False: long, and longer in a longer queue (see Pauses).
  bool ShortPauses = false;
  /// Several host threads: true: they hand work to each other, so a call that
  /// its thread came to after a while follows what any of them did last; false:
  /// each goes on by itself.
  bool HandOver = false;
  /// Whether kernels of two streams that never ran at the same time in the
  /// recording do so when nothing keeps them apart. True: they fill the GPU,
  /// and run one after the other.
  bool KernelsApart = false;
  /// Each call takes less by this; see recorderCost().
  RecorderCost Added;
};

/// By name: NCCL's kernels.
bool isCollective(const trace::Timeline &T, const trace::Stage &S);
bool runsCollectives(const trace::Timeline &T);

/// One process, ready to be played with changes. JointReplay tells what they
/// gain.
class Replay {
public:
  /// All but the steps must outlive the replay.
  /// `Calibration`: of the recording's machine, or null. With a `Sample`, only
  /// its steps are replayed, and their time is scaled to that of all that
  /// count.
  Replay(const trace::Timeline &T, const Attribution &A, const WaitList &List,
         const Steps &S = {}, const catalogue::Semantics *Calibration = nullptr,
         const StepSample *Sample = nullptr);

  /// Why this timeline cannot be replayed, or "".
  llvm::StringRef obstacle() const { return Obstacle; }

  /// Needs a timeline without obstacle, as does the next one.
  const Pauses &pauses() const { return *TypicalPauses; }
  const PinnedCopies &pinnedCopies() const { return *Pinned; }

  /// Decides how wide the intervals of estimates for unrecorded runs are.
  void setLimiter(Limiter L) { Limit = L; }

  /// Kernels that wait for other ranks: NCCL's.
  uint64_t collectives() const { return Collectives; }

  /// Steps that count.
  size_t steps() const { return StepEnds.size() * Scale; }

  /// Whether several host threads launch or wait.
  bool hasSeveralThreads() const { return Threads > 1; }

  /// Whether it is not known if they hand work to each other.
  bool mayHandOver() const { return hasSeveralThreads() && !InTurns; }

  /// The end of the run, ns. Needs a timeline without obstacle.
  int64_t end(const Plan &P, Assumptions Assumed) const;

private:
  friend class Player;
  friend class JointReplay;
  const trace::Timeline &T;
  const Attribution &A;
  const std::vector<Wait> &Waits, &Latent;
  uint32_t FromOp = trace::None; ///< As Steps::fromOp.
  /// The ends of the steps that count (of the sample); see Steps::LastOps.
  std::vector<uint32_t> StepEnds;
  /// How many steps that count there are for each of these.
  double Scale = 1;
  /// What is replayed: all calls, or those of the sample. Into HostEvents.
  uint32_t FirstCall = 0, LastCall = 0;
  /// Operations that stay where they were: launched before that.
  std::vector<uint32_t> EarlyOps;
  Limiter Limit = Limiter::Both;
  std::string Obstacle;
  std::vector<ReadBack> ReadBacks; ///< Without an obstacle.
  std::vector<bool> InPlay;        ///< Threads that launch or wait.
  size_t Threads = 0;              ///< So many.
  bool InTurns = false;    ///< They hand work to each other; see takeTurns().
  bool MayOverlap = false; ///< See Assumptions::KernelsApart.
  /// ns, from the start of a launching call to that of its operation on an idle
  /// GPU; on the H200.
  static constexpr int64_t UsualLaunchLatency = 6'000;
  int64_t LaunchLatency = 0; ///< The same; the recording's median.
  int64_t LaunchTime = 0;    ///< ns in a call that launches a kernel; median.
  std::vector<bool> OrdersStreams; ///< By a call's name (Timeline::Strings).
  std::vector<bool> IsCollective;  ///< By stage.
  uint64_t Collectives = 0;        ///< Operations.
  const catalogue::Semantics *Calibration;
  std::optional<Pauses> TypicalPauses; ///< Without an obstacle, as the next.
  std::optional<PinnedCopies> Pinned;

  /// What happens in a call besides its operations; sorted by call.
  struct Event {
    uint32_t Call;  ///< The outermost.
    uint32_t Index; ///< Into Waits, Latent or GpuOps.
  };
  std::vector<Event> WaitIn, LatentIn;

  /// What one playback found, ns: the run's end, and the time of the steps that
  /// count.
  struct Played {
    int64_t End = 0, Steps = 0;
  };
  void findPart(const Steps &S, const StepSample *Sample);
  /// The time of what was played: of the steps that count, or of the run.
  int64_t timeOf(const Played &P) const;
  /// What each replay of a plan assumes; see combine().
  static std::vector<unsigned> levels(bool IsRecorded, unsigned Doubts);
  /// The assumptions that only some recordings leave open, a bit for each.
  unsigned doubts() const;
  Assumptions assume(unsigned Levels, bool IsRecorded) const;
  void findThreads();
  void findCollectives();
  void findObstacle();
  void measureTypical();
  void findEvents();
};

} // namespace autoprof::analysis
