// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/decisions/Decisions.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::Timeline;

namespace {

/// A site that is not worth a change. If the GPU was busy during half of the
/// wait, and hardly idle after it, that is why.
Judgement judgeCheap(const Result &R, const SiteRow &Row) {
  const bool Inside = Row.waitsInSteps();
  const int64_t Exposed = Row.exposed(Inside),
                Span = Inside ? R.InSteps->Span : R.Span;
  return {Verdict::NotWorthIt,
          2 * Exposed < Row.wait(Inside) && 100 * Exposed < Span
              ? Grounds::GpuBusy
          : Inside ? Grounds::SmallPartOfStep
                   : Grounds::SmallPartOfRun,
          ""};
}

/// Which sites are changed, and what that gains.
class Decider {
  const Timeline &T;
  Result &R;
  Decision D;
  /// By row: its place in the set.
  std::map<uint32_t, const SetMember *> MemberOf;

  void weighSet();
  void weighRegime();
  void judgeMember(uint32_t I, const SetMember &Member);
  void judgeAlone(SiteRow &Row, uint32_t I);
  bool copiesUp(const SiteRow &Row) const;

public:
  Decider(const Timeline &T, Result &R) : T(T), R(R) {}
  void run();
};

bool isWorthwhile(const ExpectedGain &Gain) {
  return Gain.isWorthIt() && (Gain.Recorded || Gain.isMeasurable());
}

/// What the changes gain together, the least and the most.
void Decider::weighSet() {
  const WhatIfTable &Table = R.WhatIfs;
  if (!Table.Strong)
    return;
  const ExpectedGain Strong = gainOf(R, *Table.Strong),
                     Mild = gainOf(R, *Table.Mild);
  if (!isWorthwhile(Strong) && !isWorthwhile(Mild))
    return;
  if (isWorthwhile(Mild))
    D.Mild = Mild;
  // What costs a tenth more or less is the same to who decides.
  const int64_t More = Strong.Saved.Middle - Mild.Saved.Middle;
  if (!D.Mild || (More > Strong.Resolution && 10 * More > Mild.Saved.Middle))
    D.Strong = Strong;
  for (const SetMember &Member : Table.Changes.Members)
    for (uint32_t Row : Member.Changed.Rows)
      MemberOf[Row] = &Member;
}

bool Decider::copiesUp(const SiteRow &Row) const {
  return Row.Site != trace::None &&
         llvm::any_of(R.Transfers, [&Row](const TransferRow &T) {
           return T.Site == Row.Site && T.Dir == trace::Direction::HtoD;
         });
}

/// Of several rows of one change, the first is what is changed.
void Decider::judgeMember(uint32_t I, const SetMember &Member) {
  SiteRow &Row = R.Sites[I];
  const Candidate &C = Member.Changed;
  if (C.Kind == Remedy::Allocate && C.Rows.front() != I) {
    Row.Judged =
        Row.Waits ? Judgement{Verdict::NotWorthIt, Grounds::IncludedInPartner,
                              R.Sites[C.Rows.front()].Call}
                  : Judgement();
    return;
  }
  const bool IsMild = D.Mild && !C.Mild.empty();
  Promise &P = Row.Promised;
  P.Change =
      IsMild && isChange(Row.Judged.Kind) ? Row.Judged.Kind : Verdict::Remove;
  const size_t Parts = C.Kind == Remedy::Allocate ? 1 : C.Rows.size();
  P.Expected =
      (D.Mild ? *D.Mild : *D.Strong).scaled(Member.Share / double(Parts));
  P.By = C.Kind;
  P.NeedsOthers = Member.NeedsOthers;
  P.KeepsCopy = copiesUp(Row);
}

/// Of a row that is not in the set: outside of the steps, or in a recording
/// that cannot be replayed, it may be worth a change by itself.
void Decider::judgeAlone(SiteRow &Row, uint32_t I) {
  if (!Row.Waits) {
    Row.Judged = {};
    return;
  }
  const auto Removed = gainOfRemoving(R, I);
  const bool Inside = Row.waitsInSteps(),
             IsSearched = R.WhatIfs.Changes.Bound > 0 && (Inside || !Row.Steps);
  if (IsSearched || !Removed || !Removed->isWorthIt())
    Row.Judged = judgeCheap(R, Row);
  if (!Row.Gained)
    return;
  Promise &P = Row.Promised;
  P.Change = Verdict::Remove;
  P.Expected = Removed;
  P.IsBound = !Row.GainNote.empty();
  P.KeepsCopy = copiesUp(Row);
}

Hidden hiddenIn(const Timeline &T, const Result &R) {
  return !R.WaitsKnown              ? Hidden::GpuWork
         : T.Info.Source.LacksWaits ? Hidden::Waits
         : T.Unread.BytesDropped    ? Hidden::Rest
                                    : Hidden::Nothing;
}

/// The gaps that changing the waits would close are not the CPU's doing.
void Decider::weighRegime() {
  if (!R.InSteps || !isHostBound(R.InSteps->Limit))
    return;
  const Cause Of = R.InSteps->Limit == Regime::CpuBound ? Cause::HostBusy
                                                        : Cause::LaunchBound;
  int64_t Saved = 0;
  if (D.gain())
    Saved = (R.WhatIfs.Strong->Saved.Low + R.WhatIfs.Strong->Saved.High) / 2;
  if (!D.Lines.empty())
    Saved = std::max(Saved, D.Lines.front().Strong.Saved.Middle *
                                int64_t(R.InSteps->Count));
  if (2 * Saved >= R.InSteps->Gaps[unsigned(Of)].Total)
    R.InSteps->Limit = Regime::Between;
}

void Decider::run() {
  weighSet();
  D.Lines = weighLines(R);
  weighRegime();
  for (uint32_t I = 0; I < R.Sites.size(); ++I)
    if (const auto It = MemberOf.find(I); It != MemberOf.end())
      judgeMember(I, *It->second);
    else
      judgeAlone(R.Sites[I], I);
  D.Hidden = hiddenIn(T, R);
  D.AreStepsDoubtful = R.Steps.measured() && R.Steps.Sure == Confidence::Low;
  for (uint32_t I = 0; I < R.Sites.size(); ++I)
    if (isChange(R.Sites[I].Judged.Kind))
      D.Waits.push_back(I);
  if (D.gain() || !D.Waits.empty() || !D.Lines.empty())
    D.Answer = Answer::Change;
  else if (D.Hidden == Hidden::Nothing)
    D.Answer = R.Waited ? Answer::NotWorthIt : Answer::NoWaits;
  R.Decided = std::move(D);
}

} // namespace

void autoprof::analysis::decide(const Timeline &T, Result &R) {
  Decider(T, R).run();
}
