// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/Adjustment.h"

#include <algorithm>
#include <cmath>

using namespace autoprof::analysis;

namespace {

/// Reorders the values.
double middleOf(std::vector<double> &Values) {
  auto Middle = Values.begin() + std::ptrdiff_t(Values.size() / 2);
  std::nth_element(Values.begin(), Middle, Values.end());
  return *Middle;
}

/// Median slope of all pairs of runs; 0 where all covariates are equal.
double fitSlope(const std::vector<CovariateRun> &Runs) {
  std::vector<double> Slopes;
  Slopes.reserve(Runs.size() * Runs.size() / 2);
  for (size_t I = 0; I < Runs.size(); ++I)
    for (size_t K = 0; K < I; ++K)
      if (Runs[I].Covariate != Runs[K].Covariate)
        Slopes.push_back((Runs[I].Value - Runs[K].Value) /
                         (Runs[I].Covariate - Runs[K].Covariate));
  return Slopes.empty() ? 0 : middleOf(Slopes);
}

/// Of all runs, as if the new ones took `Shift` less.
double fitSlope(const std::vector<CovariateRun> &Base,
                const std::vector<CovariateRun> &New, double Shift) {
  std::vector<CovariateRun> All = Base;
  for (const CovariateRun &R : New)
    All.push_back({R.Value - Shift, R.Covariate});
  return fitSlope(All);
}

std::vector<double> adjust(const std::vector<CovariateRun> &Runs, double Slope,
                           double Centre) {
  std::vector<double> Result;
  for (const CovariateRun &R : Runs)
    Result.push_back(R.Value - Slope * (R.Covariate - Centre));
  return Result;
}

double medianCovariate(const std::vector<CovariateRun> &Base,
                       const std::vector<CovariateRun> &New) {
  std::vector<double> Values;
  for (const auto *Side : {&Base, &New})
    for (const CovariateRun &R : *Side)
      Values.push_back(R.Covariate);
  return middleOf(Values);
}

} // namespace

std::vector<double>
autoprof::analysis::adjustedValues(const std::vector<CovariateRun> &Runs) {
  if (Runs.empty())
    return {};
  return adjust(Runs, fitSlope(Runs), medianCovariate(Runs, {}));
}

AdjustedRuns
autoprof::analysis::compareAdjusted(const StoppingPlan &Plan, size_t Look,
                                    std::vector<CovariateRun> Base,
                                    std::vector<CovariateRun> New) {
  Base.resize(Plan.looks()[Look].Base);
  New.resize(Plan.looks()[Look].New);
  const double Centre = medianCovariate(Base, New);
  // The test of no change fits the line as if there was none. A large change
  // would blur that line, so the estimate and its interval take a second one.
  const double Plain = fitSlope(Base, New, 0);
  const RunsCompared Test = Plan.compare(Look, adjust(Base, Plain, Centre),
                                         adjust(New, Plain, Centre));
  AdjustedRuns Result;
  Result.Slope = fitSlope(Base, New, Test.Shift);
  Result.Base = adjust(Base, Result.Slope, Centre);
  Result.New = adjust(New, Result.Slope, Centre);
  Result.Compared = Plan.compare(Look, Result.Base, Result.New);
  // A claim needs both, so that it never contradicts the interval.
  Result.Compared.Differs &= Test.Differs;
  Result.Compared.P = std::max(Result.Compared.P, Test.P);
  return Result;
}

bool autoprof::analysis::differBeyondChance(const std::vector<double> &Base,
                                            const std::vector<double> &New) {
  double Above = 0;
  for (double B : Base)
    for (double N : New)
      Above += N > B ? 1 : N == B ? 0.5 : 0;
  const double Pairs = double(Base.size()) * double(New.size());
  const double Sd =
      std::sqrt(Pairs * double(Base.size() + New.size() + 1) / 12);
  // p < 0.001: at every look, so that the sum over the looks stays small.
  constexpr double Quantile = 3.29;
  if (std::abs(Above - Pairs / 2) > Quantile * Sd)
    return true;
  // Few runs cannot reach that. If the sides do not overlap and are at least a
  // quarter apart, it is not chance either.
  if (Above != 0 && Above != Pairs)
    return false;
  constexpr double Quarter = 0.22; // log(1.25)
  const auto [LowB, HighB] = std::minmax_element(Base.begin(), Base.end());
  const auto [LowN, HighN] = std::minmax_element(New.begin(), New.end());
  return std::max(*LowN - *HighB, *LowB - *HighN) > Quarter;
}
