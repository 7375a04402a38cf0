// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Diff.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdlib>
#include <map>

using namespace autoprof;
using namespace autoprof::analysis;

namespace {

/// What stays the same between two builds and runs.
std::string keyOf(const trace::Timeline &T, const SiteRow &Row) {
  if (Row.Site == trace::None)
    return "call " + Row.Call;
  const trace::Site &S = T.Sites[Row.Site];
  if (S.Id)
    return "id " + std::to_string(S.Id);
  return "at " + S.File + ":" + std::to_string(S.Line) + " " + Row.Call;
}

/// Whether step times of both sides mean the same.
bool areAlike(const Steps &Base, const Steps &New) {
  return !Base.List.empty() && !New.List.empty() && Base.Site == New.Site &&
         (Base.Site || Base.Source == New.Source) &&
         Base.FromGpu == New.FromGpu;
}

std::optional<StepChange> compareSteps(const Result &Base, const Result &New) {
  if (!areAlike(Base.Steps, New.Steps))
    return std::nullopt;
  std::vector<int64_t> B = Base.Steps.times(), N = New.Steps.times();
  StepChange C;
  C.BaseCount = B.size();
  C.NewCount = N.size();
  C.BaseMedian = median(B);
  C.NewMedian = median(N);
  C.BaseLead = median(Base.Steps.leads());
  C.NewLead = median(New.Steps.leads());
  if (C.BaseMedian <= 0 || N.empty())
    return std::nullopt;
  C.Change = double(C.NewMedian) / double(C.BaseMedian) - 1;
  C.Enough = B.size() >= MinSteps && N.size() >= MinSteps &&
             llvm::all_of(B, [](int64_t V) { return V > 0; });
  if (C.Enough) {
    C.Range = bootstrapChange(B, N);
    C.P = mannWhitney(B, N);
    C.Significant = C.P < 0.01 && (C.Range.Low > 0 || C.Range.High < 0);
  }
  return C;
}

/// A row's wait and exposed stall.
std::pair<std::optional<int64_t>, std::optional<int64_t>>
costs(const Recording &Side, const SiteRow *Row, bool PerStep) {
  using Pair = std::pair<std::optional<int64_t>, std::optional<int64_t>>;
  if (!Side.R.WaitsKnown)
    return {};
  if (!Row)
    return Pair(0, 0);
  if (!PerStep)
    return {Row->Wait, Row->Exposed};
  int64_t Count = int64_t(Side.R.InSteps->Count);
  return Pair(Row->Steps->Wait / Count, Row->Steps->Exposed / Count);
}

int64_t change(const SiteChange &C) {
  return C.NewWait.value_or(0) - C.BaseWait.value_or(0);
}

} // namespace

void autoprof::analysis::alignSteps(const Result &Base,
                                    const trace::Timeline &NewT, Result &New) {
  if (!Base.Steps.Site || Base.Steps.Site == New.Steps.Site)
    return;
  Steps Same = findStepsOfSite(NewT, Base.Steps.Site);
  if (Same.List.size() >= 3)
    New = analyse(NewT, std::move(Same), New.Here);
}

Difference autoprof::analysis::compare(const Recording &Base,
                                       const Recording &New) {
  Difference D;
  D.Step = compareSteps(Base.R, New.R);
  D.PerStep =
      areAlike(Base.R.Steps, New.R.Steps) && Base.R.InSteps && New.R.InSteps;
  std::map<std::string, size_t> Index;
  for (const SiteRow &Row : Base.R.Sites)
    if (Index.try_emplace(keyOf(Base.T, Row), D.Sites.size()).second)
      D.Sites.push_back({&Row, nullptr, {}, {}, {}, {}});
  for (const SiteRow &Row : New.R.Sites) {
    auto [It, Added] = Index.try_emplace(keyOf(New.T, Row), D.Sites.size());
    if (Added)
      D.Sites.push_back({nullptr, nullptr, {}, {}, {}, {}});
    D.Sites[It->second].New = &Row;
  }
  for (SiteChange &C : D.Sites) {
    std::tie(C.BaseWait, C.BaseExposed) = costs(Base, C.Base, D.PerStep);
    std::tie(C.NewWait, C.NewExposed) = costs(New, C.New, D.PerStep);
  }
  // Rows of equal change stay in the order of the two reports.
  std::vector<std::pair<int64_t, size_t>> Order;
  for (size_t I = 0; I < D.Sites.size(); ++I)
    Order.push_back({-std::abs(change(D.Sites[I])), I});
  llvm::sort(Order);
  std::vector<SiteChange> Sorted;
  for (auto [Change, I] : Order)
    Sorted.push_back(D.Sites[I]);
  D.Sites = std::move(Sorted);
  return D;
}
