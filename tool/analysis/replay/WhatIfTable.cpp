// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/replay/WhatIfTable.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace autoprof::analysis;
using autoprof::trace::MemoryKind;

namespace {

/// The number of waits that are replayed; each question takes two or four
/// replays.
constexpr size_t MaxWaiters = 4;

class Asker {
  const Replay &Player;
  const std::vector<Waiter> &Waiters;
  const bool OfSteps, Full;
  const int64_t Worth;
  WhatIfTable Table;

  Plan planOf(Edit Kind, llvm::ArrayRef<size_t> Chosen) const;
  WhatIfRow ask(const Plan &P, llvm::ArrayRef<size_t> Chosen) const;
  void askUnrecorded(WhatIfRow &Row, const Plan &P) const;
  void addAnswer(const Plan &P, llvm::ArrayRef<size_t> Chosen, Edit Question);
  void addAsync(size_t I);
  void addEach(size_t Count);
  void addOrder(size_t Count);

public:
  Asker(const Replay &Player, const std::vector<Waiter> &Waiters, bool OfSteps,
        bool Full, int64_t Worth)
      : Player(Player), Waiters(Waiters), OfSteps(OfSteps), Full(Full),
        Worth(Worth) {}
  WhatIfTable run();
};

/// About these elements of Waiters; none: about all.
Plan Asker::planOf(Edit Kind, llvm::ArrayRef<size_t> Chosen) const {
  Plan P{Kind, {}, /*All=*/Chosen.empty()};
  for (size_t I : Chosen)
    P.Groups.push_back(Waiters[I].Group);
  return P;
}

/// `P` concerns Chosen, and perhaps their successors, which wait for nothing as
/// long as Chosen are there: their gain is limited by the stall of Chosen.
WhatIfRow Asker::ask(const Plan &P, llvm::ArrayRef<size_t> Chosen) const {
  WhatIfRow Row;
  Row.Kind = Row.Replayed = P.Kind;
  int64_t Limit =
      P.Kind == Edit::Reuse ? Waiters[Chosen.front()].PartnerExposed : 0;
  for (size_t I = 0; I < Waiters.size(); ++I) {
    if (!Chosen.empty() && !llvm::is_contained(Chosen, I))
      continue;
    Limit += Waiters[I].Exposed;
    if (!Chosen.empty())
      Row.Rows.push_back(Waiters[I].Row);
  }
  const Gains Found = Player.gain(P);
  const Gain Raw = OfSteps ? Found.Steps : Found.Run;
  Gain OfWaits = Raw;
  if (Player.removesOperators(P)) {
    Plan Keeping = P;
    Keeping.KeepOperators = true;
    const Gains Kept = Player.gain(Keeping);
    OfWaits = OfSteps ? Kept.Steps : Kept.Run;
    Row.Operators = difference(Raw, OfWaits);
  }
  Row.Saved = {std::min(OfWaits.Low, Limit), std::min(OfWaits.High, Limit)};
  Row.Beyond = difference(Raw, Row.Saved);
  Row.Step = Found.Median;
  if (Player.collectives()) {
    Plan Holding = P;
    Holding.HoldCollectives = true;
    const Gains Alone = Player.gain(Holding);
    Row.Alone = OfSteps ? Alone.Steps : Alone.Run;
  }
  return Row;
}

void Asker::askUnrecorded(WhatIfRow &Row, const Plan &P) const {
  if (!Full)
    return;
  const Estimates Found = Player.gainUnrecorded(P);
  Row.Unrecorded = OfSteps ? Found.Steps : Found.Run;
  if (OfSteps)
    Row.UnrecordedStep = Found.Median;
}

void Asker::addAnswer(const Plan &P, llvm::ArrayRef<size_t> Chosen,
                      Edit Question) {
  Table.Answers.push_back(ask(P, Chosen));
  Table.Answers.back().Kind = Question;
  askUnrecorded(Table.Answers.back(), P);
}

/// What making a call asynchronous means for those that have a form of their
/// own. Their successors have none, so nothing is asked about these.
void Asker::addAsync(size_t I) {
  const Waiter &W = Waiters[I];
  if (W.LeavesResult) {
    const WhatIfRow *Removed = Table.find(Edit::Remove, W.Row);
    Table.Answers.push_back(WhatIfRow(*Removed));
    Table.Answers.back().Kind = Edit::MakeAsync;
    return;
  }
  Plan P = planOf(Edit::Reuse, I);
  P.Groups.push_back(W.Partner);
  addAnswer(P, I, Edit::MakeAsync);
}

void Asker::addEach(size_t Count) {
  auto Add = [this](Edit Kind, size_t I) {
    const Waiter &W = Waiters[I];
    if (Kind == Edit::MakeAsync &&
        (W.LeavesResult || W.Partner != autoprof::trace::None))
      return addAsync(I);
    Plan P = planOf(Kind, I);
    addAnswer(P, I, Kind);
    if (W.SuccessorGroups.empty())
      return;
    llvm::append_range(P.Groups, W.SuccessorGroups);
    addAnswer(P, I, Kind);
    llvm::append_range(Table.Answers.back().Rows, W.SuccessorRows);
  };
  for (size_t I = 0; I < Count; ++I) {
    Add(Edit::Remove, I);
    if (!Waiters[I].IsFree)
      Add(Edit::Postpone, I);
    if (!Waiters[I].IsSync)
      Add(Edit::MakeAsync, I);
  }
  if (Waiters.size() > 1)
    addAnswer(planOf(Edit::Remove, {}), {}, Edit::Remove);
}

int64_t middle(const WhatIfRow &Row) {
  return (Row.Saved.Low + Row.Saved.High) / 2;
}

void Asker::addOrder(size_t Count) {
  std::vector<size_t> Gone, Left;
  for (size_t I = 0; I < Count; ++I)
    if (Waiters[I].Partner == autoprof::trace::None) // See Edit::Reuse.
      Left.push_back(I);
  int64_t Before = 0;
  while (!Left.empty()) {
    std::vector<WhatIfRow> Next;
    for (size_t I : Left) {
      std::vector<size_t> Removed = Gone;
      Removed.push_back(I);
      Next.push_back(ask(planOf(Edit::Remove, Removed), Removed));
    }
    size_t Best = std::max_element(Next.begin(), Next.end(),
                                   [](const WhatIfRow &A, const WhatIfRow &B) {
                                     return middle(A) < middle(B);
                                   }) -
                  Next.begin();
    if (middle(Next[Best]) - Before < Worth)
      break;
    Before = middle(Next[Best]);
    Gone.push_back(Left[Best]);
    askUnrecorded(Next[Best], planOf(Edit::Remove, Gone));
    // The last of Rows is the one that was added.
    llvm::erase_if(Next[Best].Rows, [&](uint32_t Row) {
      return Row == Waiters[Left[Best]].Row;
    });
    Next[Best].Rows.push_back(Waiters[Left[Best]].Row);
    Table.Order.push_back(std::move(Next[Best]));
    Left.erase(Left.begin() + ptrdiff_t(Best));
  }
}

WhatIfTable Asker::run() {
  size_t Count = std::min(Waiters.size(), MaxWaiters);
  Table.MayHandOver = Player.handOvers().size() > 1;
  addEach(Count);
  if (Count > 1)
    addOrder(Count);
  if (Full)
    Table.setUnrecorded(Player, OfSteps);
  return std::move(Table);
}

} // namespace

void WhatIfTable::setUnrecorded(const Replay &Player, bool OfSteps) {
  if (!OfSteps) {
    UnrecordedWhole = Player.unrecordedRun();
    return;
  }
  const Gain Step = Player.unrecordedStep();
  UnrecordedStep = Step.Low + (Step.High - Step.Low) / 2;
  UnrecordedWhole = Player.unrecordedSteps();
}

const WhatIfRow *WhatIfTable::find(Edit Kind, uint32_t Row,
                                   bool WithSuccessors) const {
  for (const WhatIfRow &Answer : Answers)
    if (Answer.Kind == Kind && !Answer.Rows.empty() &&
        (Answer.Rows.size() > 1) == WithSuccessors &&
        Answer.Rows.front() == Row)
      return &Answer;
  return nullptr;
}

WhatIfTable
autoprof::analysis::answerWhatIfs(const Replay &Player,
                                  const std::vector<Waiter> &Waiters,
                                  bool OfSteps, bool Full, int64_t Worth) {
  return Asker(Player, Waiters, OfSteps, Full, Worth).run();
}

StepLimits autoprof::analysis::findLimits(const Replay &Player, int64_t Step,
                                          double Busy) {
  auto Ask = [&](const Plan &P) {
    const Gain G = Player.gain(P).Median;
    const int64_t Least =
        P.World == Ideal::HiddenCopies ? 0 : int64_t(Busy * double(Step));
    return Gain{std::max(Least, Step - G.High), std::max(Least, Step - G.Low)};
  };
  auto World = [](Ideal I) {
    Plan P;
    P.World = I;
    return P;
  };
  return {Ask(World(Ideal::FreeLaunches)), Ask(World(Ideal::InfiniteCpu)),
          Ask(World(Ideal::HiddenCopies)),
          Ask({Edit::Remove, {}, /*All=*/true})};
}

namespace {

/// The number of transfers that are replayed.
constexpr size_t MaxTransfers = 3;

/// How much shorter or longer pageable copies of one size are in other
/// processes, which get other pages: 87 runs of six programs on two machines
/// with an H100 (docs/predictions.md, "Transfers").
constexpr double PageableSpread = 0.1;

/// A gain in runs other than the recorded one.
Gain widened(const Gain &G, const TransferRow &Row, bool OfSteps,
             uint64_t Parts) {
  if (Row.Memory != MemoryKind::Pageable || !Parts)
    return G;
  const TransferSums &S = OfSteps && Row.Steps ? *Row.Steps : Row.Run;
  const auto Spread =
      int64_t(PageableSpread * double(std::max(S.Host - S.Waiting, S.Gpu)) /
              double(Parts));
  return {std::max<int64_t>(0, G.Low - Spread), G.High + Spread};
}

/// The questions that make sense.
std::vector<Edit> questions(const TransferRow &Row) {
  std::vector<Edit> Result;
  // If the kind of memory is unknown, so is the effect of pinning it.
  if (Row.Memory == MemoryKind::Pageable) {
    Result.push_back(Edit::Pin);
    // Of pinned copies that block, the sites' answers have it.
    if (Row.Blocks)
      Result.push_back(Edit::PinAsync);
  }
  Result.push_back(Edit::RemoveTransfer);
  return Result;
}

} // namespace

bool autoprof::analysis::isWorthAsking(const TransferRow &Row, int64_t Whole) {
  const TransferSums &S = Row.Steps ? *Row.Steps : Row.Run;
  const int64_t Cost = std::max(S.Host - S.Waiting, S.Gpu);
  return S.Count && S.Bytes / S.Count >= SmallTransfer && 100 * Cost >= Whole;
}

std::vector<WhatIfRow>
autoprof::analysis::answerTransfers(const Replay &Player,
                                    const std::vector<TransferRow> &Rows,
                                    bool OfSteps, bool Full, int64_t Whole) {
  std::vector<WhatIfRow> Result;
  size_t Asked = 0;
  for (size_t I = 0; I < Rows.size() && Asked < MaxTransfers; ++I) {
    if (!isWorthAsking(Rows[I], Whole))
      continue;
    ++Asked;
    for (Edit Kind : questions(Rows[I])) {
      Plan P;
      P.Kind = Kind;
      P.Groups = {Rows[I].Group};
      P.Dir = Rows[I].Dir;
      WhatIfRow Row;
      Row.Kind = Row.Replayed = Kind;
      Row.Transfer = uint32_t(I);
      Gains Found = Player.gain(P);
      auto Widened = [&](const Gain &G, uint64_t Parts = 1) {
        return widened(G, Rows[I], OfSteps, Parts);
      };
      Row.Saved = Widened(OfSteps ? Found.Steps : Found.Run);
      Row.Step = Found.Median;
      if (Full) {
        auto Estimated = [&](const Estimate &E, uint64_t Parts = 1) {
          const Gain G = Widened({E.Low, E.High}, Parts);
          return Estimate{(G.Low + G.High) / 2, G.Low, G.High};
        };
        const Estimates Plain = Player.gainUnrecorded(P);
        Row.Unrecorded = Estimated(OfSteps ? Plain.Steps : Plain.Run);
        if (OfSteps)
          Row.UnrecordedStep = Estimated(Plain.Median, Player.steps());
      }
      if (Player.collectives()) {
        P.HoldCollectives = true;
        Found = Player.gain(P);
        Row.Alone = OfSteps ? Found.Steps : Found.Run;
      }
      Result.push_back(std::move(Row));
    }
  }
  return Result;
}
