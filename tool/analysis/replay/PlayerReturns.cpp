// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When a call returns: as recorded, or as the plan changes it.
#include "analysis/replay/Player.h"

#include "analysis/transfers/Transfers.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;

/// When a call returns whose copies the plan changes.
int64_t Player::returnOfCopies(uint32_t Call, int64_t Begin,
                               const Waiting &W) const {
  // From the end of a copy of pinned memory to the return of its call, as
  // recorded on an H100 and an H200; what is recorded here may be the
  // driver's own copying.
  constexpr int64_t ShortWayBack = 2'000, LongWayBack = 6'000;
  const int64_t Active = H.End[Call] - H.Start[Call] - W.Waited;
  auto AtMostActive = [&](int64_t Ns) {
    return Begin + std::clamp<int64_t>(Ns - recorderIn(Call, true), 0, Active);
  };
  if (OfCopies == Edit::RemoveTransfer)
    return Assumed.FastCalls ? Begin : AtMostActive(R.LaunchTime);
  const int64_t Queued =
      AtMostActive(Assumed.FastCalls ? R.LaunchTime : 2 * R.LaunchTime);
  if (OfCopies == Edit::PinAsync || !isSynchronousCopy(T.Strings[H.Name[Call]]))
    return Queued;
  const int64_t Done = OpEnd[T.LaunchOrder[NextOp - 1]];
  return std::max(Queued,
                  Done + (Assumed.FastCalls ? ShortWayBack : LongWayBack));
}

/// When a call returns whose copies take no time: it still waits for what it
/// waited for.
int64_t Player::returnOfHidden(uint32_t Call, int64_t Begin,
                               const Waiting &W) const {
  const int64_t Active = std::max<int64_t>(
      0, H.End[Call] - H.Start[Call] - W.Waited - recorderIn(Call, true));
  const int64_t Queued =
      Begin + (Assumed.FastCalls ? 0 : std::min(Active, R.LaunchTime));
  return std::max(Queued, W.Release.Replayed);
}

/// When the call returns, unchanged or changed by the plan.
int64_t Player::returnOf(uint32_t Call, int64_t Begin, const Waiting &W,
                         bool HasWait, bool Launches) {
  const int64_t Start = H.Start[Call], Return = H.End[Call];
  const int64_t Added = recorderIn(Call, Launches);
  auto WithoutAdded = [Added](int64_t Ns) {
    return Added ? std::max<int64_t>(0, Ns - Added) : Ns;
  };
  const bool IsInstant = Changes.World == Ideal::InfiniteCpu ||
                         (Changes.World == Ideal::FreeLaunches && Launches);
  if (W.Release.Recorded == Never)
    return IsInstant ? Begin : Begin + WithoutAdded(Return - Start);
  if (Changes.World == Ideal::InfiniteCpu)
    return std::max(Begin, W.Release.Replayed);
  const int64_t WayBack =
                    WithoutAdded(Return - std::max(Start, W.Release.Recorded)),
                Active = WithoutAdded(Return - Start - W.Waited);
  const uint32_t Group = groupOf(T, R.A, Call);
  Edit Kind = HasWait ? Changes.of(Group) : Edit::None;
  // Calls that wait for the copies of others.
  if (Kind == Edit::PinAsync)
    Kind = Edit::MakeAsync;
  else if (Kind == Edit::RemoveTransfer)
    Kind = Edit::Remove;
  else if (Kind == Edit::Pin)
    Kind = Edit::None;
  if (Kind == Edit::None)
    return std::max(Begin, W.Release.Replayed) + WayBack;
  if (Kind == Edit::Remove)
    return Begin + (Assumed.FastCalls ? 0 : Active);
  const int64_t Queued =
      Begin + (Assumed.FastCalls ? std::min(Active, R.LaunchTime) : Active);
  if (Kind == Edit::MakeAsync)
    return Queued;
  auto [It, IsFirst] = DoneBefore.try_emplace(Group, Never);
  int64_t Earlier = It->second;
  It->second = W.Release.Replayed;
  if (Earlier <= Queued)
    return Queued;
  return Earlier + (Assumed.FastCalls ? 0 : WayBack);
}
