// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/decisions/Decisions.h"

#include "analysis/common/Temporaries.h"
#include "catalogue/TorchNames.h"

#include "llvm/ADT/STLExtras.h"

using namespace autoprof;
using namespace autoprof::analysis;
using catalogue::CallClass;
using trace::Timeline;

namespace {

/// The catalogue's row of the outermost operator of a path that may wait:
/// "aten::item > aten::_local_scalar_dense" is at::Tensor::item of libtorch.
/// Null: the catalogue has none.
const catalogue::Row *operatorRow(llvm::StringRef Path) {
  llvm::SmallVector<llvm::StringRef, 8> Names;
  Path.split(Names, " > ");
  for (llvm::StringRef Name : Names) {
    if (!Name.consume_front("aten::"))
      continue;
    for (const char *Scope : {"at::Tensor::", "at::"})
      if (const catalogue::Row *R = catalogue::lookup(Scope + Name.str());
          R && catalogue::mayWait(R->Wait))
        return R;
  }
  return nullptr;
}

/// Whether the program uses PyTorch, by the names of its kernels.
bool usesTorch(const Timeline &T) {
  return llvm::any_of(T.Stages, [&T](const trace::Stage &S) {
    // Demangled, or not.
    const llvm::StringRef Name = T.Strings[S.Name];
    return Name.contains("at::native::") || Name.contains("2at6native");
  });
}

/// What a worthwhile change of this call is. `Copy`: of what it copies.
Judgement changeOf(const catalogue::Row *Call, trace::Direction Copy) {
  if (!Call)
    return {Verdict::Keep, Grounds::NoOtherForm, ""};
  std::string Instead = Call->Replacement.str();
  if (Call->Target == catalogue::WaitsFor::Event)
    return {Verdict::Postpone, Grounds::Replaceable, Instead};
  if (Call->Class == CallClass::Sync)
    return {Verdict::Remove, Grounds::UnlessRead, Instead};
  if (Call->Class == CallClass::Copy && !Call->Name.ends_with("Async") &&
      Copy == trace::Direction::DtoH)
    return {Verdict::Postpone, Grounds::Later, Instead};
  if (Instead.empty())
    return {Verdict::Keep, Grounds::NoOtherForm, ""};
  return {Verdict::MakeAsync, Grounds::Replaceable, Instead};
}

/// The gain of creating the row's object only once, if that was replayed.
std::optional<ExpectedGain> createdOnce(const Result &R, uint32_t Row) {
  auto Gain = expectedGain(R, Row, Edit::MakeAsync);
  return Gain && Gain->CreatedOnce ? Gain : std::nullopt;
}

/// A site that is not worth a change. If the GPU was busy during half of the
/// wait, that is why.
Judgement judgeCheap(bool OfSteps, int64_t Wait, int64_t Exposed) {
  return {Verdict::NotWorthIt,
          2 * Exposed < Wait ? Grounds::GpuBusy
          : OfSteps          ? Grounds::SmallPartOfStep
                             : Grounds::SmallPartOfRun,
          ""};
}

/// Of a row that waits. `InTorch`: advice in the terms of PyTorch's users.
Judgement judge(const Timeline &T, const Result &R, uint32_t I, bool InTorch) {
  const SiteRow &Row = R.Sites[I];
  const bool OfSteps = Row.Steps && Row.Steps->Waits;
  const int64_t Wait = OfSteps ? Row.Steps->Wait : *Row.Wait;
  if (Wait <= 0)
    return {};
  const auto Removed = expectedGain(R, I, Edit::Remove),
             Once = createdOnce(R, I);
  const bool IsReused = Once && Once->isWorthIt();
  if (!IsReused && !(Removed && Removed->isWorthIt()))
    return judgeCheap(OfSteps, Wait,
                      OfSteps ? Row.Steps->Exposed : *Row.Exposed);
  // The call that waited longest represents the site.
  const analysis::Wait &Longest = R.Waits[Row.LongestWait];
  const llvm::StringRef Waiting = T.Strings[T.Host.Name[Longest.Call]];
  const bool IsOperator = Row.Kind == trace::OperatorKind;
  const catalogue::Row *Call =
      IsOperator ? operatorRow(Row.Call) : catalogue::lookup(Row.Call);
  if (!Call || !catalogue::mayWait(Call->Wait))
    Call = catalogue::lookup(Waiting);
  // Worthwhile only because the operator around it is gone as well, which no
  // other form of the call does.
  const bool OnlyRemoving = !IsReused && !Removed->isWaitWorthIt();
  Judgement Result = OnlyRemoving
                         ? Judgement{Verdict::Remove, Grounds::OwnTime, ""}
                         : changeOf(Call, Longest.CopyDirection);
  if (InTorch)
    if (const catalogue::TorchName *Name = catalogue::torchNameIn(
            IsOperator ? llvm::StringRef(Row.Call) : Waiting)) {
      Result.Why = Grounds::Replaceable;
      Result.Instead = Name->Advice.str();
    }
  return Result;
}

/// The replay's answer for the verdict of a row.
std::optional<Gain> advisedGain(const Result &R, uint32_t I) {
  const SiteRow &Row = R.Sites[I];
  const bool Inside = Row.Steps && Row.Steps->Waits;
  const Edit Kind = editOf(Row.Judged.Kind);
  if (Kind == Edit::Remove && Row.GainNote.empty())
    return Inside ? Row.Steps->Gained : *Row.Gained;
  // Its answers are about the steps where these are known.
  if (Kind == Edit::None || (Row.Steps && !Inside))
    return std::nullopt;
  for (const WhatIfRow &Answer : R.WhatIfs.Answers)
    if (Answer.Kind == Kind && Answer.Rows == std::vector{I})
      return Answer.Saved;
  return std::nullopt;
}

/// A constructor and its destructor are one change, of which one is a finding:
/// the one that stalls longer.
void judgePairs(const Timeline &T, Result &R) {
  for (uint32_t I = 0; I < R.Sites.size(); ++I) {
    SiteRow &Row = R.Sites[I];
    const uint32_t Partner = partnerOf(T, Row.Site);
    const auto Other = llvm::find_if(R.Sites, [Partner](const SiteRow &S) {
      return Partner != trace::None && S.Site == Partner;
    });
    if (Other == R.Sites.end())
      continue;
    const uint32_t J = uint32_t(Other - R.Sites.begin());
    const auto Mine = createdOnce(R, I), Its = createdOnce(R, J);
    if (!Mine || !Its || !Its->isWorthIt() || J > I)
      continue;
    Row.Judged = {Verdict::NotWorthIt, Grounds::IncludedInPartner, Other->Call};
    Row.Advised.reset();
  }
}

/// Whether the advised change of several calls brings less than half of what
/// removing them would: then readers need both figures to decide.
bool isFarLess(const ExpectedGain &Advised,
               const std::optional<ExpectedGain> &Removed) {
  return Removed && !Advised.Along.empty() &&
         Removed->Recorded == Advised.Recorded &&
         2 * Advised.Saved.Middle < Removed->Saved.Middle;
}

/// Of the change of the verdict, if a replay shows that it is worthwhile; else
/// of removing the call. Postponing it may gain next to nothing where removing
/// it is worthwhile.
Promise promiseOf(const Result &R, uint32_t I) {
  const SiteRow &Row = R.Sites[I];
  Promise P;
  if (!Row.Gained)
    return P;
  if (const Edit Kind = editOf(Row.Judged.Kind); Kind != Edit::None)
    P.OfVerdict = expectedGain(R, I, Kind);
  P.KeepsCopy = Row.Site != trace::None &&
                llvm::any_of(R.Transfers, [&Row](const TransferRow &T) {
                  return T.Site == Row.Site && T.Dir == trace::Direction::HtoD;
                });
  const auto &Advised = P.OfVerdict;
  const auto Removed = expectedGain(R, I, Edit::Remove);
  const bool IsAdvised = Row.Advised && Advised && Advised->isWorthIt() &&
                         (Advised->Recorded || Advised->isMeasurable()) &&
                         !isFarLess(*Advised, Removed);
  P.Change = IsAdvised ? Row.Judged.Kind : Verdict::Remove;
  P.Expected = IsAdvised ? Advised : Removed;
  P.IsBound = !IsAdvised && !Row.GainNote.empty();
  if (P.Change == Row.Judged.Kind && Row.Advised)
    P.Sums = *Row.Advised;
  else
    P.Sums = Row.Steps && Row.Steps->Waits ? Row.Steps->Gained : *Row.Gained;
  return P;
}

/// The change of a transfer that gains most, and is worth it.
std::optional<TransferChange> bestTransfer(const Result &R) {
  std::optional<TransferChange> Best;
  for (const WhatIfRow &Row : R.WhatIfs.Answers) {
    if (Row.Transfer == trace::None || Row.Kind != Edit::Pin)
      continue;
    ExpectedGain Gain = transferGain(R, Row);
    if (!Gain.isWorthIt() ||
        !(Gain.Recorded ? Gain.Saved.Low > 0 : Gain.isMeasurable()) ||
        (Best && Gain.Saved.Middle <= Best->Gain.Saved.Middle))
      continue;
    Best = {Row.Transfer, R.Transfers[Row.Transfer].Site, std::move(Gain)};
  }
  return Best;
}

/// Of gains of the same run, by their shares.
bool isMore(const ExpectedGain &A, const std::optional<ExpectedGain> &B) {
  return !B || double(A.Saved.Middle) * double(B->Whole) >
                   double(B->Saved.Middle) * double(A.Whole);
}

Hidden hiddenIn(const Timeline &T, const Result &R) {
  return !R.WaitsKnown              ? Hidden::GpuWork
         : T.Info.Source.LacksWaits ? Hidden::Waits
         : T.Unread.BytesDropped    ? Hidden::Rest
                                    : Hidden::Nothing;
}

Decision decision(const Timeline &T, const Result &R) {
  Decision D;
  D.Hidden = hiddenIn(T, R);
  D.AreStepsDoubtful = R.Steps.measured() && R.Steps.Sure == Confidence::Low;
  for (uint32_t I = 0; I < R.Sites.size(); ++I)
    if (isChange(R.Sites[I].Judged.Kind))
      D.Waits.push_back(I);
  D.Transfer = bestTransfer(R);
  if (D.Transfer &&
      (D.Waits.empty() ||
       isMore(D.Transfer->Gain, R.Sites[D.Waits.front()].Promised.Expected)))
    D.Answer = Answer::ChangeTransfer;
  else if (!D.Waits.empty())
    D.Answer = Answer::ChangeWait;
  else if (D.Hidden == Hidden::Nothing)
    D.Answer = R.Waited ? Answer::NotWorthIt : Answer::NoWaits;
  return D;
}

} // namespace

void autoprof::analysis::decide(const Timeline &T, Result &R) {
  const bool InTorch = usesTorch(T);
  for (uint32_t I = 0; I < R.Sites.size(); ++I)
    if (R.Sites[I].Waits) {
      R.Sites[I].Judged = judge(T, R, I, InTorch);
      R.Sites[I].Advised = advisedGain(R, I);
    }
  judgePairs(T, R);
  for (uint32_t I = 0; I < R.Sites.size(); ++I)
    R.Sites[I].Promised = promiseOf(R, I);
  R.Decided = decision(T, R);
}
