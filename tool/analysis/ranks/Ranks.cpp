// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/ranks/Ranks.h"

#include "analysis/common/Sorting.h"
#include "analysis/common/Statistics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <cmath>

using namespace autoprof;
using namespace autoprof::analysis;

namespace {

bool areAlike(const RankSteps &A, const RankSteps &B) {
  return A.Site == B.Site && (A.Site || A.Source == B.Source) &&
         A.FromGpu == B.FromGpu;
}

/// The steps that count in all ranks.
void compareSteps(Ranks &R) {
  size_t First = 0, End = R.All.empty() ? 0 : SIZE_MAX;
  for (const RankSummary &S : R.All) {
    if (!areAlike(R.All[0].Steps, S.Steps))
      return;
    First = std::max(First, S.Steps.First);
    End = std::min(End, S.Steps.First + S.Steps.Times.size());
  }
  for (size_t I = First; I < End; ++I) {
    std::vector<int64_t> Times;
    for (const RankSummary &S : R.All)
      Times.push_back(S.Steps.Times[I - S.Steps.First]);
    // The first of equal ones, as query engines do.
    auto Fastest = std::min_element(Times.begin(), Times.end());
    auto Slowest = std::max_element(Times.begin(), Times.end());
    size_t Rank = Slowest - Times.begin();
    R.Steps.push_back({I, Rank, *Slowest, median(Times), *Fastest});
    ++R.SlowestIn[Rank];
  }
}

/// Unknown once, unknown for good.
void add(std::optional<int64_t> &Sum, const std::optional<int64_t> &Added,
         bool IsFirst) {
  if (IsFirst)
    Sum = Added;
  else if (Sum)
    Sum = Added ? std::optional(*Sum + *Added) : std::nullopt;
}

void add(RankSite &Site, const RankSiteRow &Row, size_t Rank) {
  bool IsFirst = !Site.Ranks++;
  Site.WorthChanging += isChange(Row.Judged);
  Site.Count += Row.Count;
  Site.Waits += Row.Waits;
  add(Site.Wait, Row.Wait, IsFirst);
  add(Site.Exposed, Row.Exposed, IsFirst);
  int64_t Wait = Row.Wait.value_or(0);
  if (IsFirst || Wait > *Site.MostWait) {
    Site.MostWait = Wait;
    Site.MostWaiting = Rank;
  }
  Site.LeastWait = IsFirst ? Wait : std::min(*Site.LeastWait, Wait);
}

std::vector<RankSite> sumSites(llvm::ArrayRef<RankSummary> All) {
  std::vector<RankSite> Sites;
  llvm::StringMap<size_t> Index;
  for (size_t Rank = 0; Rank < All.size(); ++Rank)
    for (const RankSiteRow &Row : All[Rank].Sites) {
      auto [It, IsNew] =
          Index.try_emplace(keyOf(Row.Place, Row.Call), Sites.size());
      if (IsNew) {
        Sites.emplace_back();
        Sites.back().Place = Row.Place;
        Sites.back().Call = Row.Call;
        Sites.back().Kind = Row.Kind;
      }
      add(Sites[It->second], Row, Rank);
    }
  for (RankSite &S : Sites) {
    if (!S.Wait)
      S.LeastWait = S.MostWait = std::nullopt;
    else if (S.Ranks < All.size())
      S.LeastWait = 0;
  }
  auto Order = [](const RankSite &S) {
    return std::tuple(-S.Exposed.value_or(0), -S.Wait.value_or(0), S.Place.File,
                      S.Place.Line, S.Call);
  };
  sortBy(Sites, Order);
  return Sites;
}

} // namespace

std::optional<bool> Ranks::isWorthwhile() const {
  if (llvm::any_of(Sites,
                   [](const RankSite &S) { return S.WorthChanging > 0; }))
    return true;
  if (llvm::any_of(All, [](const RankSummary &S) { return S.IsCutOff; }))
    return std::nullopt;
  return false;
}

double Ranks::lag() const {
  std::vector<int64_t> Millionths;
  for (const RankStep &S : Steps)
    if (S.Median > 0)
      Millionths.push_back(
          int64_t(1e6 * double(S.Time - S.Median) / double(S.Median)));
  return double(median(std::move(Millionths))) / 1e6;
}

Ranks analysis::compareRanks(std::vector<RankSummary> All) {
  auto Order = [](const RankSummary &S) {
    return std::pair(S.Info.Rank.value_or(INT64_MAX), S.Path);
  };
  sortBy(All, Order);
  Ranks Result;
  Result.SlowestIn.resize(All.size());
  Result.Sites = sumSites(All);
  Result.Outliers = findOutliers(All);
  Result.All = std::move(All);
  compareSteps(Result);
  return Result;
}

namespace {

constexpr size_t FewestRanks = 5;
/// The usual bound for robust z-scores (Iglewicz and Hoaglin, 1993).
constexpr double Far = 3.5;

int64_t valueOf(const RankSummary &S, Measure Kind) {
  const RankSums &Sums = *S.InSteps;
  const int64_t Steps = std::max<int64_t>(1, Sums.Count);
  switch (Kind) {
  case Measure::StepTime:
    return S.Steps.Median;
  case Measure::Wait:
    return Sums.Waited / Steps;
  case Measure::Exposed:
    return Sums.Exposed / Steps;
  case Measure::Busy:
    return Sums.Busy / Steps;
  }
  return 0;
}

} // namespace

std::vector<Outlier>
autoprof::analysis::findOutliers(llvm::ArrayRef<RankSummary> All) {
  std::vector<Outlier> Result;
  auto HasSteps = [](const RankSummary &S) { return S.InSteps.has_value(); };
  if (All.size() < FewestRanks || !llvm::all_of(All, HasSteps))
    return Result;
  double MinDistance = 0;
  for (Measure Kind :
       {Measure::StepTime, Measure::Wait, Measure::Exposed, Measure::Busy}) {
    std::vector<int64_t> Values, Deviations;
    for (const RankSummary &S : All)
      Values.push_back(valueOf(S, Kind));
    const int64_t Middle = median(Values);
    for (int64_t Value : Values)
      Deviations.push_back(std::abs(Value - Middle));
    if (Kind == Measure::StepTime)
      MinDistance = double(Middle) / 100;
    // 1.4826: makes it the standard deviation of normal values.
    const double Scale =
        std::max({1.4826 * double(median(Deviations)), MinDistance, 1.0});
    for (size_t I = 0; I < Values.size(); ++I) {
      double Z = double(Values[I] - Middle) / Scale;
      if (std::abs(Z) > Far)
        Result.push_back({I, Kind, Values[I], Middle, Z});
    }
  }
  largestFirst(Result, [](const Outlier &A) { return std::abs(A.Z); });
  return Result;
}
