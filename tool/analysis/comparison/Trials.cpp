// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/Trials.h"

#include "analysis/comparison/Adjustment.h"

#include <algorithm>
#include <cmath>

using namespace autoprof::analysis;

namespace {

/// The inverse.
std::vector<int64_t> timesOf(const std::vector<double> &Logs) {
  std::vector<int64_t> Result;
  for (double V : Logs)
    Result.push_back(std::llround(std::exp(V)));
  return Result;
}

/// Of the first runs of a side. Empty: the cost is not known of all of them.
std::vector<CovariateRun> covariateRuns(const Trials &T, bool IsNew,
                                        size_t Count) {
  std::vector<CovariateRun> Result;
  for (const Trial &R : T.Runs) {
    if (R.IsNew != IsNew || Result.size() == Count)
      continue;
    if (!R.LaunchCost || *R.LaunchCost <= 0)
      return {};
    Result.push_back(
        {std::log(double(R.Time)), std::log(double(*R.LaunchCost))});
  }
  return Result;
}

std::vector<double> covariates(const std::vector<CovariateRun> &Runs) {
  std::vector<double> Result;
  for (const CovariateRun &R : Runs)
    Result.push_back(R.Covariate);
  return Result;
}

RunsChange makeChange(const RunsCompared &C, std::vector<int64_t> Base,
                      std::vector<int64_t> New, double Precision) {
  RunsChange R;
  R.BaseTime = median(std::move(Base));
  R.NewTime = median(std::move(New));
  R.Change = std::expm1(C.Shift);
  R.P = C.P;
  R.Differs = C.Differs;
  if (C.Range) {
    R.Range = {std::expm1(C.Range->Low), std::expm1(C.Range->High)};
    R.ShowsNone = (R.Range->High - R.Range->Low) / 2 <= Precision &&
                  R.Range->Low <= 0 && R.Range->High >= 0;
  }
  return R;
}

LaunchAdjustment::Objection objectionTo(const Trials &T,
                                        const std::vector<CovariateRun> &Base,
                                        const std::vector<CovariateRun> &New) {
  if (T.Base.Environment != T.New.Environment)
    return LaunchAdjustment::Objection::Environments;
  return differBeyondChance(covariates(Base), covariates(New))
             ? LaunchAdjustment::Objection::Cost
             : LaunchAdjustment::Objection::None;
}

/// `J` has what is known without it.
std::optional<LaunchAdjustment> adjustForLaunches(const Trials &T,
                                                  const StoppingPlan &Plan,
                                                  size_t Look,
                                                  const TrialsJudged &J) {
  const std::vector<CovariateRun> Base = covariateRuns(T, false, J.BaseRuns),
                                  New = covariateRuns(T, true, J.NewRuns);
  if (Base.empty() || New.empty())
    return std::nullopt;
  const AdjustedRuns A = compareAdjusted(Plan, Look, Base, New);
  LaunchAdjustment L;
  L.Obstacle = objectionTo(T, Base, New);
  L.Adjusted =
      makeChange(A.Compared, timesOf(A.Base), timesOf(A.New), T.Precision);
  L.Slope = A.Slope;
  const double B = spread(timesOf(A.Base)), N = spread(timesOf(A.New));
  const double Before = J.BaseSpread * J.BaseSpread + J.NewSpread * J.NewSpread;
  if (Before > 0)
    L.Explained = std::max(0.0, 1 - (B * B + N * N) / Before);
  L.Spread = std::max(B, N);
  L.BaseCost = median(timesOf(covariates(Base)));
  L.NewCost = median(timesOf(covariates(New)));
  return L;
}

} // namespace

std::vector<int64_t> Trials::times(bool IsNew) const {
  std::vector<int64_t> Result;
  for (const Trial &R : Runs)
    if (R.IsNew == IsNew)
      Result.push_back(R.Time);
  return Result;
}

std::vector<Look> Trials::looks() const {
  if (isFixed())
    return {{times(false).size(), times(true).size()}};
  return Stored ? looksAgainst(times(false).size(), MostRuns)
                : alternatingLooks(MostRuns);
}

double autoprof::analysis::spread(const std::vector<int64_t> &Times) {
  const int64_t Centre = median(Times);
  std::vector<int64_t> Distances;
  for (int64_t V : Times)
    Distances.push_back(std::abs(V - Centre));
  constexpr double OfNormal = 1.4826; // 1 / the normal quantile of 0.75.
  return Centre > 0
             ? OfNormal * double(median(std::move(Distances))) / double(Centre)
             : 0;
}

std::optional<double> autoprof::analysis::adjustedSpread(const Trials &T) {
  std::vector<CovariateRun> All;
  for (bool IsNew : {false, true}) {
    const std::vector<CovariateRun> Side =
        covariateRuns(T, IsNew, T.Runs.size());
    if (Side.empty() && !T.times(IsNew).empty())
      return std::nullopt;
    All.insert(All.end(), Side.begin(), Side.end());
  }
  if (All.empty())
    return std::nullopt;
  return spread(timesOf(adjustedValues(All)));
}

std::optional<double> autoprof::analysis::pairSpan(const Trials &T) {
  constexpr size_t Fewest = 5;
  constexpr double Limit = 0.95, PerUnit = 1e9;
  std::vector<int64_t> Distances;
  for (bool IsNew : {false, true}) {
    const std::vector<double> L = logarithms(T.times(IsNew));
    for (size_t I = 0; L.size() >= Fewest && I < L.size(); ++I)
      for (size_t K = 0; K < I; ++K)
        Distances.push_back(int64_t(PerUnit * std::abs(L[I] - L[K])));
  }
  if (Distances.empty())
    return std::nullopt;
  return std::expm1(double(quantile(std::move(Distances), Limit)) / PerUnit);
}

size_t autoprof::analysis::runsNeeded(double Spread, double Change) {
  constexpr double Boundary = 3.0, Power = 1.28; // Normal quantiles.
  constexpr double Efficiency = 0.955; // Of the rank-sum test: 3 / pi.
  constexpr size_t Fewest = 6;
  if (!(Change > 0))
    return Fewest;
  const double Ratio = (Boundary + Power) * Spread / std::log1p(Change);
  return std::max(Fewest, size_t(std::ceil(2 * Ratio * Ratio / Efficiency)));
}

std::optional<TrialsJudged>
autoprof::analysis::judge(const Trials &T, const StoppingPlan &Plan) {
  std::vector<int64_t> Base = T.times(false), New = T.times(true);
  std::optional<size_t> At = Plan.lookAt(Base.size(), New.size());
  if (!At || Base.empty() || New.empty())
    return std::nullopt;
  Base.resize(Plan.looks()[*At].Base);
  New.resize(Plan.looks()[*At].New);
  TrialsJudged J;
  J.BaseRuns = Base.size();
  J.NewRuns = New.size();
  J.BaseSpread = spread(Base);
  J.NewSpread = spread(New);
  const RunsCompared C = Plan.compare(*At, logarithms(Base), logarithms(New));
  J.Unadjusted = makeChange(C, std::move(Base), std::move(New), T.Precision);
  J.Launch = adjustForLaunches(T, Plan, *At, J);
  static_cast<RunsChange &>(J) =
      J.isAdjusted() ? J.Launch->Adjusted : J.Unadjusted;
  return J;
}

OutputsAre autoprof::analysis::compareOutputs(const Trials &T) {
  const std::vector<std::string> &B = T.Base.Outputs, &N = T.New.Outputs;
  if (B.empty() || N.empty())
    return OutputsAre::NotCompared;
  if (B.size() > 1 || N.size() > 1)
    return OutputsAre::Varying;
  return B == N ? OutputsAre::Equal : OutputsAre::Different;
}
