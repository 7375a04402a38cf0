// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stage of an analysis that replays the timeline.
#include "analysis/Stages.h"

#include "analysis/decisions/Decisions.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cstdlib>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::MemoryKind;
using trace::None;
using trace::Timeline;

bool autoprof::analysis::knowsCost(const Timeline &T, const Result &R) {
  return T.Info.Mode == "full" &&
         !findGraphLaunches(T,
                            R.onGpuClock() ? R.InSteps->Host.Start : T.begin())
              .ByNode;
}

static int64_t meanTime(llvm::ArrayRef<Step> Steps) {
  int64_t Sum = 0;
  for (const Step &S : Steps)
    Sum += S.Time;
  return Sum / int64_t(Steps.size());
}

StepSample autoprof::analysis::sampleSteps(const trace::Timeline &T,
                                           const Result &R, size_t MaxOps) {
  if (!R.onGpuClock() || !R.Steps.measured())
    return {};
  const llvm::ArrayRef<Step> All =
      llvm::ArrayRef(R.Steps.List).drop_front(R.Steps.WarmUp);
  const auto Count = size_t(double(MaxOps) * double(R.Steps.List.size()) /
                            double(T.Ops.size()));
  if (Count < MinSampledSteps || Count > All.size())
    return {};
  constexpr size_t Places = 16;
  StepSample Best{0, Count, 0, meanTime(All)};
  for (size_t I = 0; I < Places; ++I) {
    const size_t First = I * (All.size() - Count) / (Places - 1);
    const int64_t Mean = meanTime(All.slice(First, Count));
    if (!I || std::abs(Mean - Best.MeanOfAll) <
                  std::abs(Best.Mean - Best.MeanOfAll)) {
      Best.First = R.Steps.WarmUp + First;
      Best.Mean = Mean;
    }
  }
  return Best;
}

namespace {

/// So many sites are asked about, those that cost most: a replay walks the
/// whole timeline. So many, and transfers, are asked about with more questions;
/// each of these takes two or four replays, and as many or twice as many for an
/// unrecorded run.
constexpr size_t MaxReplays = 16, MaxWaiters = 4, MaxTransfers = 3;
/// A site is asked about by itself if its exposed stall is at least a
/// thousandth of the time, or its waits a hundredth: while it waits, streams
/// could overlap, or another call could wait in its place.
constexpr int64_t MinStallShare = 1000, MinWaitShare = 100;
/// In longer recordings, a sample of the steps is replayed: dozens of replays
/// would take longer than reading the trace.
constexpr size_t MaxReplayedOps = 1'000'000, SampledOps = 100'000;

/// How much shorter or longer pageable copies of one size are in other
/// processes, which get other pages: 87 runs of six programs on two machines
/// with an H100 (docs/predictions.md, "Transfers").
constexpr double PageableSpread = 0.1;

/// Gains in runs other than the recorded one.
void widen(PlanAnswer &Answer, const TransferRow &Row) {
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

/// Makes a replay when the first question needs it.
class Asker {
  const Timeline &T;
  const Attribution &A;
  const WaitList &List;
  const Result &R;
  /// Whether the answers are about the steps that count, on the GPU's clock.
  const bool OfSteps;
  const bool Full;     ///< The recorder's cost is known.
  const int64_t Whole; ///< ns, what the answers are sums over.
  std::optional<StepSample> Sample;
  std::optional<Replay> Player;

  std::optional<JointReplay> Played;

  const JointReplay &replay();
  bool isReplayable();
  /// There are steps, and no replay can say what changes in them.
  bool hasOtherSteps() const { return R.InSteps && !OfSteps; }
  bool isLong() const { return T.Ops.size() > MaxReplayedOps; }
  std::string obstacle(const SiteRow &Row, size_t Asked);
  bool isCostly(const SiteRow &Row) const;

public:
  Asker(const Timeline &T, const Attribution &A, const WaitList &List,
        const Result &R)
      : T(T), A(A), List(List), R(R), OfSteps(R.onGpuClock()),
        Full(knowsCost(T, R)), Whole(R.whole()) {
    if (isLong())
      Sample = sampleSteps(T, R, SampledOps);
  }

  void waits(std::vector<SiteRow> &Rows, WhatIfTable &Table);
  std::vector<TransferRow> transfers() const;
  void transferWhatIfs(std::vector<TransferRow> &Rows, WhatIfTable &Table);
  void changes(const std::vector<TransferRow> &Rows, WhatIfTable &Table);
  void unrecorded(WhatIfTable &Table) const;
  std::optional<ReplayConstants> constants() const;
};

const JointReplay &Asker::replay() {
  if (!Player) {
    Player.emplace(T, A, List, OfSteps ? R.Steps : Steps(), R.Measured,
                   Sample ? &*Sample : nullptr);
    if (R.InSteps)
      Player->setLimiter(limiter(R.InSteps->Limit));
    Played.emplace(std::vector<const Replay *>{&*Player}, Full);
  }
  return *Played;
}

bool Asker::isReplayable() {
  return (!Sample || Sample->Steps) && replay().obstacle().empty();
}

bool Asker::isCostly(const SiteRow &Row) const {
  const bool Inside = Row.waitsInSteps();
  const int64_t Span = Inside ? R.InSteps->Span : R.Span,
                Wait = Row.wait(Inside);
  return MinStallShare * Row.exposed(Inside) >= Span ||
         (Wait && MinWaitShare * Wait >= Span);
}

/// Why removing a row is not replayed, or "".
std::string Asker::obstacle(const SiteRow &Row, size_t Asked) {
  if (!isCostly(Row) || Asked == MaxReplays)
    return "too small";
  // Before and after the steps it is not known what the program needs to be
  // done, and when: only what the GPU idles counts.
  if (Row.isOutside())
    return "it does not wait in the steps that count";
  if (hasOtherSteps())
    return "not every step launched GPU work";
  if (Sample && !Sample->Steps)
    return "the recording is too long; --window takes a part";
  return replay().obstacle().str();
}

/// Of removing each of the calls that cost most, and of postponing a few of
/// them; of the others, what is known without a replay.
void Asker::waits(std::vector<SiteRow> &Rows, WhatIfTable &Table) {
  Table.Sampled = Sample;
  size_t Asked = 0;
  for (uint32_t I = 0; I < Rows.size(); ++I) {
    SiteRow &Row = Rows[I];
    const bool Inside = Row.waitsInSteps();
    Row.Gained = Gain{0, std::min(Row.wait(Inside), Row.exposed(Inside))};
    if (!Row.Waits)
      continue;
    Row.GainNote = obstacle(Row, Asked);
    if (!Row.GainNote.empty())
      continue;
    auto Ask = [&](Edit Kind) {
      Table.Answers.push_back(
          {replay().gain(Plan(Kind, Row.Group)), Kind, {I}});
    };
    Ask(Edit::Remove);
    Row.Gained = Table.Answers.back().Saved;
    // What allocates or frees has no result to use later.
    if (++Asked <= MaxWaiters && Row.Kind != "alloc" && Row.Kind != "free") {
      Ask(Edit::Postpone);
    }
  }
}

std::vector<TransferRow> Asker::transfers() const {
  std::optional<TransferWindows> Steps;
  if (R.InSteps)
    Steps.emplace(
        TransferWindows{R.InSteps->Host, R.InSteps->Gpu, R.InSteps->WaitOf});
  return sumTransfers(T, A, List.Waits, Steps ? &*Steps : nullptr);
}

/// Adds the answers to `Table`.
void Asker::transferWhatIfs(std::vector<TransferRow> &Rows,
                            WhatIfTable &Table) {
  auto IsAsked = [this](const TransferRow &Row) {
    return isWorthAsking(Row, Whole);
  };
  if (hasOtherSteps() || llvm::none_of(Rows, IsAsked) || !isReplayable())
    return;
  size_t Asked = 0;
  for (size_t I = 0; I < Rows.size(); ++I) {
    TransferRow &Row = Rows[I];
    if (!IsAsked(Row))
      continue;
    if (Row.Memory == MemoryKind::Pageable)
      Row.Pinned =
          Player->pinnedCopies().of(Row.Dir, Row.Run.Bytes / Row.Run.Count);
    if (++Asked > MaxTransfers)
      continue;
    for (Edit Kind : questions(Row)) {
      Plan P;
      P.Changes = {{Row.Group, Kind, Row.Dir}};
      WhatIfRow Answer{replay().gain(P), Kind, {}, uint32_t(I)};
      widen(Answer, Row);
      Table.Answers.push_back(std::move(Answer));
    }
  }
}

/// What to change. Needs the transfers.
void Asker::changes(const std::vector<TransferRow> &Rows, WhatIfTable &Table) {
  if (hasOtherSteps())
    return;
  std::vector<Candidate> Candidates = findCandidates(T, A, List, R);
  if (Candidates.empty() || !isReplayable())
    return;
  Table.Changes = findChangeSet(replay(), std::move(Candidates),
                                int64_t(WorthIt * double(Whole)));
  const ChangeSet &Set = Table.Changes;
  if (Set.Members.empty())
    return;
  auto AskAbout = [&](const Plan &P) {
    PlanAnswer Answer = replay().gain(P);
    for (const SetMember &One : Set.Members)
      if (const uint32_t I = One.Changed.Transfer; I != None)
        widen(Answer, Rows[I]);
    return Answer;
  };
  Table.Mild = AskAbout(Set.mild());
  Table.Strong = AskAbout(Set.strong());
}

/// What is replayed takes so long, where anything was asked about it.
void Asker::unrecorded(WhatIfTable &Table) const {
  if (Full && (Table.Strong || !Table.Answers.empty()))
    Table.UnrecordedWhole = Played->whole();
}

std::optional<ReplayConstants> Asker::constants() const {
  if (!Player || !Player->obstacle().empty())
    return std::nullopt;
  const Pauses &P = Player->pauses();
  return ReplayConstants{{P.source(false), P.source(true)},
                         {P.isUsed(false), P.isUsed(true)},
                         Player->collectives()};
}

} // namespace

void autoprof::analysis::askReplays(const Timeline &T, const Attribution &A,
                                    const WaitList &List, Result &R) {
  Asker Replays(T, A, List, R);
  if (R.WaitsKnown) {
    Replays.waits(R.Sites, R.WhatIfs);
    R.Transfers = Replays.transfers();
    Replays.transferWhatIfs(R.Transfers, R.WhatIfs);
    Replays.changes(R.Transfers, R.WhatIfs);
    Replays.unrecorded(R.WhatIfs);
  }
  R.RecorderAdds = recorderCost(T);
  // The last, because it says what the replays before it used.
  R.Constants = Replays.constants();
}
