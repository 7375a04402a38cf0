// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/replay/JointReplay.h"

#include "analysis/common/Windows.h"
#include "analysis/replay/Player.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <deque>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::Timeline;

namespace {

/// The collectives of a rank in the order of their launches.
using Collectives = std::vector<uint32_t>;

/// Whether matched collectives end at the same time on two ranks: as long after
/// the previous one on the one as on the other.
bool endTogether(const Timeline &A, const Collectives &OfA, const Timeline &B,
                 const Collectives &OfB) {
  constexpr int64_t MostApart = 100'000; // ns
  size_t Apart = 0;
  for (size_t I = 1; I < OfA.size(); ++I) {
    const int64_t OnA = A.Ops.End[OfA[I]] - A.Ops.End[OfA[I - 1]],
                  OnB = B.Ops.End[OfB[I]] - B.Ops.End[OfB[I - 1]];
    Apart += std::abs(OnA - OnB) > MostApart;
  }
  return 10 * Apart <= OfA.size();
}

/// Why the second rank's collectives cannot be matched with the first's, or "".
std::string mismatch(const Timeline &A, const Collectives &OfA,
                     const Timeline &B, const Collectives &OfB) {
  if (OfA.size() != OfB.size())
    return "their numbers of collectives differ (" +
           std::to_string(OfA.size()) + " and " + std::to_string(OfB.size()) +
           ")";
  auto NameOf = [](const Timeline &T, uint32_t Op) {
    return T.Strings[T.Stages[T.Ops.Stage[Op]].Name];
  };
  for (size_t I = 0; I < OfA.size(); ++I)
    if (NameOf(A, OfA[I]) != NameOf(B, OfB[I]))
      return "their collectives differ: number " + std::to_string(I + 1) +
             " is " + NameOf(A, OfA[I]).str() + " on one rank and " +
             NameOf(B, OfB[I]).str() + " on another";
  if (!endTogether(A, OfA, B, OfB))
    return "collectives of the same number do not end at the same time, so the "
           "traces may be of different runs";
  return "";
}

} // namespace

JointReplay::JointReplay(std::vector<const Replay *> All, bool KnowsCost)
    : Ranks(std::move(All)) {
  for (const Replay *R : Ranks)
    if (Obstacle.empty())
      Obstacle = R->obstacle().str();
  if (Obstacle.empty() && Ranks.size() > 1)
    match();
  if (!Obstacle.empty())
    return;
  findWaiting();
  Recorded = playCases({}, /*IsRecorded=*/true);
  if (KnowsCost)
    WithoutRecorder = playCases({}, /*IsRecorded=*/false);
}

void JointReplay::match() {
  for (const Replay *R : Ranks) {
    const Timeline &T = R->T;
    Collectives &Own = Found.emplace_back();
    for (size_t I = 0; I < T.LaunchOrder.size(); ++I) {
      const uint32_t Op = T.LaunchOrder[I], Stage = T.Ops.Stage[Op];
      if (T.Stages[Stage].Kind == trace::OpKind::Graph) {
        Obstacle = "CUDA graphs were recorded as one operation, which may "
                   "contain collectives";
        return;
      }
      if (!R->IsCollective[Stage])
        continue;
      auto IsSameLaunch = [&](size_t Other) {
        return T.Ops.Launch[T.LaunchOrder[Other]] == T.Ops.Launch[Op];
      };
      if ((I && IsSameLaunch(I - 1)) ||
          (I + 1 < T.LaunchOrder.size() && IsSameLaunch(I + 1))) {
        Obstacle = "collectives were launched together with other operations, "
                   "as in a CUDA graph";
        return;
      }
      if (T.Strings[T.Stages[Stage].Name].contains("SendRecv")) {
        Obstacle = "ranks send to single other ranks, and the traces do not "
                   "tell to which";
        return;
      }
      Own.push_back(Op);
    }
  }
  for (size_t I = 1; I < Ranks.size() && Obstacle.empty(); ++I)
    Obstacle = mismatch(Ranks[0]->T, Found[0], Ranks[I]->T, Found[I]);
}

/// The rank for which a collective takes least waited for none.
void JointReplay::findWaiting() {
  auto TimeOf = [this](size_t Rank, size_t I) {
    const trace::GpuOps &Ops = Ranks[Rank]->T.Ops;
    return Ops.End[Found[Rank][I]] - Ops.Start[Found[Rank][I]];
  };
  Waiting.resize(Ranks.size());
  for (size_t I = 0; I < collectives(); ++I) {
    int64_t Transfer = std::numeric_limits<int64_t>::max();
    for (size_t Rank = 0; Rank < Ranks.size(); ++Rank)
      Transfer = std::min(Transfer, TimeOf(Rank, I));
    for (size_t Rank = 0; Rank < Ranks.size(); ++Rank) {
      const int64_t Start = Ranks[Rank]->T.Ops.Start[Found[Rank][I]];
      Waiting[Rank].push_back({Start, Start + TimeOf(Rank, I) - Transfer});
    }
  }
}

/// As those of each Replay, with the same assumptions on all ranks.
std::vector<unsigned> JointReplay::levels(bool IsRecorded) const {
  unsigned Doubts = 0;
  for (const Replay *R : Ranks)
    Doubts |= R->doubts();
  return Replay::levels(IsRecorded, Doubts);
}

/// No plans: without a change.
JointReplay::Runs JointReplay::play(llvm::ArrayRef<Plan> Plans, bool IsRecorded,
                                    unsigned Levels) const {
  const Plan NoChange;
  std::deque<Player> Players;
  for (size_t I = 0; I < Ranks.size(); ++I)
    Players.emplace_back(*Ranks[I], Plans.empty() ? NoChange : Plans[I],
                         Ranks[I]->assume(Levels, IsRecorded));
  for (size_t Next = 0; Next < collectives(); ++Next) {
    int64_t Shift = std::numeric_limits<int64_t>::min();
    for (size_t I = 0; I < Ranks.size(); ++I)
      Shift = std::max(Shift, *Players[I].runToCollective() - waited(I, Next));
    for (Player &One : Players)
      One.endCollective(Shift);
  }
  Runs Result;
  for (size_t I = 0; I < Ranks.size(); ++I)
    Result.push_back(Ranks[I]->timeOf(Players[I].run()));
  return Result;
}

std::vector<JointReplay::Runs>
JointReplay::playCases(llvm::ArrayRef<Plan> Plans, bool IsRecorded) const {
  return playInPairs(levels(IsRecorded), [&](unsigned Levels) {
    return play(Plans, IsRecorded, Levels);
  });
}

int64_t JointReplay::leastSaved(const Runs &Before, const Runs &After) const {
  int64_t Least = std::numeric_limits<int64_t>::max();
  for (size_t Rank = 0; Rank < Ranks.size(); ++Rank)
    Least = std::min(Least, Before[Rank] - After[Rank]);
  return Least;
}

/// For each case.
std::vector<int64_t> JointReplay::savings(llvm::ArrayRef<Plan> Plans,
                                          bool IsRecorded) const {
  const std::vector<Runs> &Unchanged = IsRecorded ? Recorded : WithoutRecorder,
                          Changed = playCases(Plans, IsRecorded);
  std::vector<int64_t> Result;
  for (size_t I = 0; I < Changed.size(); ++I)
    Result.push_back(leastSaved(Unchanged[I], Changed[I]));
  return Result;
}

PlanAnswer JointReplay::gain(llvm::ArrayRef<Plan> Plans) const {
  const std::vector<int64_t> Saved = savings(Plans, /*IsRecorded=*/true);
  PlanAnswer Result;
  Result.Saved = {std::max<int64_t>(0, *llvm::min_element(Saved)),
                  std::max<int64_t>(0, *llvm::max_element(Saved))};
  if (WithoutRecorder.empty())
    return Result;
  const auto Has = [this](Limiter L) {
    return llvm::any_of(Ranks, [L](const Replay *R) { return R->Limit == L; });
  };
  const Limiter Limit = Has(Limiter::Host)   ? Limiter::Host
                        : Has(Limiter::Both) ? Limiter::Both
                                             : Limiter::Gpu;
  const auto Steps = int64_t(std::max<size_t>(1, Ranks.front()->steps()));
  Result.Unrecorded = combine(savings(Plans, /*IsRecorded=*/false),
                              levels(/*IsRecorded=*/false),
                              Steps * spread(whole() / Steps, Limit));
  return Result;
}

int64_t JointReplay::roughGain(llvm::ArrayRef<Plan> Plans) const {
  const unsigned Last = levels(/*IsRecorded=*/true).back();
  return leastSaved(Recorded.back(), play(Plans, /*IsRecorded=*/true, Last));
}

int64_t JointReplay::whole() const {
  const std::vector<Runs> &Unchanged =
      WithoutRecorder.empty() ? Recorded : WithoutRecorder;
  double Sum = 0;
  for (const Runs &All : Unchanged)
    Sum += double(*llvm::max_element(All));
  return std::llround(Sum / double(Unchanged.size()));
}
