// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/replay/WhatIfTable.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace autoprof::analysis;
using autoprof::trace::MemoryKind;
using autoprof::trace::None;

namespace {

/// The number of waits that are replayed with all questions; each of these
/// takes two or four replays, and as many or twice as many for an unrecorded
/// run.
constexpr size_t MaxWaiters = 4;

class Asker {
  const Replay &Player;
  const bool OfSteps, Full;

public:
  Asker(const Replay &Player, bool OfSteps, bool Full)
      : Player(Player), OfSteps(OfSteps), Full(Full) {}
  PlanAnswer ask(const Plan &P) const;
  WhatIfRow about(Edit Question, const Plan &P,
                  std::vector<uint32_t> Rows) const;
  void addEach(std::vector<WhatIfRow> &To, const Waiter &W) const;
};

PlanAnswer Asker::ask(const Plan &P) const {
  PlanAnswer Answer;
  const Gains Found = Player.gain(P);
  Answer.Saved = OfSteps ? Found.Steps : Found.Run;
  Answer.Step = Found.Median;
  if (!Full)
    return Answer;
  const Estimates Plain = Player.gainUnrecorded(P);
  Answer.Unrecorded = OfSteps ? Plain.Steps : Plain.Run;
  if (OfSteps)
    Answer.UnrecordedStep = Plain.Median;
  return Answer;
}

WhatIfRow Asker::about(Edit Question, const Plan &P,
                       std::vector<uint32_t> Rows) const {
  const Edit Replayed = P.Changes.empty() ? P.OfOthers : P.Changes.front().Kind;
  return {ask(P), Question, Replayed, std::move(Rows)};
}

/// Calls that have an asynchronous form of their own are replayed as that.
void Asker::addEach(std::vector<WhatIfRow> &To, const Waiter &W) const {
  const WhatIfRow Removed =
      about(Edit::Remove, {Edit::Remove, W.Group}, {W.Row});
  To.push_back(Removed);
  if (!W.IsFree)
    To.push_back(about(Edit::Postpone, {Edit::Postpone, W.Group}, {W.Row}));
  if (W.IsSync)
    return;
  if (W.LeavesResult) {
    To.push_back(Removed);
    To.back().Kind = Edit::MakeAsync;
  } else if (W.Partner != None) {
    To.push_back(
        about(Edit::MakeAsync, {Edit::Reuse, {W.Group, W.Partner}}, {W.Row}));
  } else {
    To.push_back(about(Edit::MakeAsync, {Edit::MakeAsync, W.Group}, {W.Row}));
  }
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

const WhatIfRow *WhatIfTable::find(Edit Kind, uint32_t Row) const {
  for (const WhatIfRow &Answer : Answers)
    if (Answer.Kind == Kind && !Answer.Rows.empty() &&
        Answer.Rows.front() == Row)
      return &Answer;
  return nullptr;
}

void autoprof::analysis::answerWhatIfs(WhatIfTable &Table, const Replay &Player,
                                       const std::vector<Waiter> &Waiters,
                                       bool OfSteps, bool Full) {
  const Asker Ask(Player, OfSteps, Full);
  for (const Waiter &W : llvm::ArrayRef(Waiters).take_front(MaxWaiters))
    Ask.addEach(Table.Answers, W);
  if (Waiters.size() > 1)
    Table.Answers.push_back(Ask.about(Edit::Remove, Plan::withoutWaits(), {}));
  if (Full)
    Table.setUnrecorded(Player, OfSteps);
}

StepLimits autoprof::analysis::findLimits(const Replay &Player, int64_t Step,
                                          double Busy) {
  auto Ask = [&](const Plan &P) {
    const Gain G = Player.gain(P).Median;
    const auto Least = int64_t(Busy * double(Step));
    return Gain{std::max(Least, Step - G.High), std::max(Least, Step - G.Low)};
  };
  return {Ask(Plan::in(Ideal::FreeLaunches)), Ask(Plan::in(Ideal::InfiniteCpu)),
          Ask(Plan::withoutWaits())};
}

namespace {

/// The number of transfers that are replayed.
constexpr size_t MaxTransfers = 3;

/// How much shorter or longer pageable copies of one size are in other
/// processes, which get other pages: 87 runs of six programs on two machines
/// with an H100 (docs/predictions.md, "Transfers").
constexpr double PageableSpread = 0.1;

/// Gains in runs other than the recorded one. `Steps`: of them.
void widen(PlanAnswer &Answer, const TransferRow &Row, size_t Steps) {
  if (Row.Memory != MemoryKind::Pageable)
    return;
  const auto Spread = int64_t(PageableSpread * double(Row.sums().cost()));
  auto Widen = [](auto &G, int64_t By) {
    G.Low = std::max<int64_t>(0, G.Low - By);
    G.High += By;
  };
  Widen(Answer.Saved, Spread);
  if (Answer.Unrecorded)
    Widen(*Answer.Unrecorded, Spread);
  if (Answer.UnrecordedStep)
    Widen(*Answer.UnrecordedStep, Spread / int64_t(std::max<size_t>(1, Steps)));
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
  const TransferSums &S = Row.sums();
  return S.Count && S.Bytes / S.Count >= SmallTransfer &&
         100 * S.cost() >= Whole;
}

std::vector<WhatIfRow>
autoprof::analysis::answerTransfers(const Replay &Player,
                                    const std::vector<TransferRow> &Rows,
                                    bool OfSteps, bool Full, int64_t Whole) {
  const Asker Ask(Player, OfSteps, Full);
  std::vector<WhatIfRow> Result;
  size_t Asked = 0;
  for (size_t I = 0; I < Rows.size() && Asked < MaxTransfers; ++I) {
    if (!isWorthAsking(Rows[I], Whole))
      continue;
    ++Asked;
    for (Edit Kind : questions(Rows[I])) {
      Plan P;
      P.Changes = {{Rows[I].Group, Kind, Rows[I].Dir}};
      WhatIfRow Row{Ask.ask(P), Kind, Kind, {}, uint32_t(I)};
      widen(Row, Rows[I], Player.steps());
      Result.push_back(std::move(Row));
    }
  }
  return Result;
}

void autoprof::analysis::answerChanges(
    WhatIfTable &Table, const Replay &Player,
    const std::vector<TransferRow> &Transfers, bool OfSteps, bool Full) {
  const ChangeSet &Set = Table.Changes;
  if (Set.Members.empty())
    return;
  const Asker Ask(Player, OfSteps, Full);
  auto AskAbout = [&](const Plan &P) {
    PlanAnswer Answer = Ask.ask(P);
    for (const SetMember &One : Set.Members)
      if (const uint32_t I = One.Changed.Transfer; I != None)
        widen(Answer, Transfers[I], Player.steps());
    return Answer;
  };
  Table.Mild = AskAbout(Set.mild());
  Table.Strong = AskAbout(Set.strong());
  if (Full)
    Table.setUnrecorded(Player, OfSteps);
}
