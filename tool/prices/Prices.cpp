// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prices/Prices.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace autoprof::prices;

namespace {

Gain add(const Gain &A, const Gain &B) {
  return {A.Low + B.Low, A.High + B.High};
}
int64_t add(int64_t A, int64_t B) { return A + B; }

/// What one of them does not know is unknown for both.
template <typename Value>
std::optional<Value> add(const std::optional<Value> &A,
                         const std::optional<Value> &B) {
  return A && B ? std::optional<Value>(add(*A, *B)) : std::nullopt;
}

/// Of one run or of two; see addTotals for their time.
std::optional<Expected> add(const std::optional<Expected> &A,
                            const std::optional<Expected> &B) {
  if (!A || !B || A->Change != B->Change || A->PerStep != B->PerStep ||
      A->IsRecorded != B->IsRecorded)
    return std::nullopt;
  Expected Sum = *A;
  Sum.Low += B->Low;
  Sum.Middle += B->Middle;
  Sum.High += B->High;
  return Sum;
}

/// The same place in one recording or in two.
void addTo(SitePrice &Sum, const SitePrice &S) {
  Sum.Calls += S.Calls;
  Sum.Waits += S.Waits;
  Sum.HostTime += S.HostTime;
  Sum.Wait = add(Sum.Wait, S.Wait);
  Sum.Exposed = add(Sum.Exposed, S.Exposed);
  Sum.Removed = add(Sum.Removed, S.Removed);
  if (Sum.GainNote.empty())
    Sum.GainNote = S.GainNote;
  if (Sum.Verdict != S.Verdict)
    Sum.Verdict.clear();
  Sum.Expected = add(Sum.Expected, S.Expected);
  // Means over different steps are meaningless.
  if (!Sum.Totals || !S.Totals || S.Totals->Source != Sum.Totals->Source) {
    if (Sum.Expected && Sum.Expected->PerStep)
      Sum.Expected.reset();
    Sum.Steps.reset();
    Sum.Totals.reset();
    return;
  }
  Sum.Steps->Waits += S.Steps->Waits;
  Sum.Steps->Wait += S.Steps->Wait;
  Sum.Steps->Exposed += S.Steps->Exposed;
  Sum.Steps->Removed = add(Sum.Steps->Removed, S.Steps->Removed);
}

/// What the recordings add up to; rows of one recording share theirs.
void addTotals(SitePrice &Sum, const SitePrice &S) {
  Sum.Recordings += S.Recordings;
  Sum.Span = add(Sum.Span, S.Span);
  if (Sum.Expected && S.Expected) {
    Sum.Expected->Whole += S.Expected->Whole;
    Sum.Expected->Resolution += S.Expected->Resolution;
  }
  if (!Sum.Totals)
    return;
  Sum.Totals->Count += S.Totals->Count;
  Sum.Totals->Span += S.Totals->Span;
  Sum.Totals->IsLaunchBound |= S.Totals->IsLaunchBound;
}

/// Calls with an id by that, the others by their place and name.
auto keyOf(const SitePrice &S) {
  const Place &P = S.Position;
  return P.Id ? std::tuple(P.Id, std::string(), 0u, std::string())
              : std::tuple(uint64_t(0), P.File, P.Line, P.Call);
}

std::vector<SitePrice> joined(std::vector<SitePrice> Rows, bool Several) {
  std::vector<SitePrice> Result;
  std::map<decltype(keyOf(Rows.front())), size_t> Known;
  for (SitePrice &Row : Rows) {
    auto [It, New] = Known.try_emplace(keyOf(Row), Result.size());
    if (New) {
      Result.push_back(std::move(Row));
      continue;
    }
    addTo(Result[It->second], Row);
    if (Several)
      addTotals(Result[It->second], Row);
  }
  return Result;
}

/// Those that are in no recording and have a probe in one.
std::optional<std::set<uint64_t>> unreached(llvm::ArrayRef<Prices> All,
                                            llvm::ArrayRef<SitePrice> Ran) {
  std::set<uint64_t> Result;
  for (const Prices &P : All) {
    if (!P.Unreached)
      return std::nullopt;
    Result.insert(P.Unreached->begin(), P.Unreached->end());
  }
  for (const SitePrice &S : Ran)
    Result.erase(S.Position.Id);
  return Result;
}

/// Steps of one kind only: means over different ones are meaningless.
std::optional<StepTotals> stepsOf(llvm::ArrayRef<Prices> All) {
  std::optional<StepTotals> Result;
  for (const Prices &P : All) {
    if (!P.Steps || (Result && Result->Source != P.Steps->Source))
      return std::nullopt;
    if (!Result) {
      Result = P.Steps;
      continue;
    }
    Result->Count += P.Steps->Count;
    Result->Span += P.Steps->Span;
    Result->IsLaunchBound |= P.Steps->IsLaunchBound;
  }
  return Result;
}

} // namespace

Prices autoprof::prices::sum(std::vector<Prices> All) {
  Prices Result;
  if (All.empty())
    return Result;
  std::vector<SitePrice> Rows;
  Result.Span = Result.Waited = 0;
  for (Prices &P : All) {
    Result.StepSpan += P.StepSpan;
    llvm::append_range(Result.Recordings, P.Recordings);
    Result.Span = add(Result.Span, P.Span);
    Result.Waited = add(Result.Waited, P.Waited);
    llvm::append_range(Rows, joined(std::move(P.Sites), false));
  }
  Result.Sites = joined(std::move(Rows), true);
  Result.Unreached = unreached(All, Result.Sites);
  Result.Steps = stepsOf(All);
  return Result;
}

std::optional<Promise> autoprof::prices::promise(const SitePrice &S) {
  if (!S.Span || (!S.Removed && !S.waitsInSteps()))
    return std::nullopt;
  Promise Result;
  if (const std::optional<Expected> &E = S.Expected) {
    Result.Change = E->Change;
    Result.Saved = {std::max<int64_t>(0, E->Low), E->High};
    Result.Middle = E->Middle;
    Result.Resolution = E->Resolution;
    Result.InSteps = E->PerStep;
    Result.Count = E->PerStep ? int64_t(S.Totals->Count) : 1;
    Result.Whole = E->Whole;
    Result.IsRecorded = E->IsRecorded;
    Result.IsBound = !S.GainNote.empty() && E->IsRecorded;
    Result.IsLaunchBound = E->PerStep && S.Totals->IsLaunchBound;
    return Result;
  }
  Result.InSteps = S.waitsInSteps();
  Result.Count = Result.InSteps ? int64_t(S.Totals->Count) : 1;
  Result.Whole = Result.InSteps ? S.Totals->Span : *S.Span;
  Result.IsLaunchBound = Result.InSteps && S.Totals->IsLaunchBound;
  Result.Change = "remove";
  Result.Saved = Result.InSteps ? S.Steps->Removed : *S.Removed;
  Result.IsBound = !S.GainNote.empty();
  return Result;
}
