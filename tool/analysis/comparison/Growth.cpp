// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/Growth.h"

#include <cmath>
#include <numeric>

using namespace autoprof::analysis;

namespace {

/// The continued fraction of the incomplete beta function (DLMF 8.17.22),
/// evaluated by the modified Lentz method; converges for X < (A+1) / (A+B+2).
double betaFraction(double A, double B, double X) {
  constexpr double Tiny = 1e-300;
  auto NonZero = [](double V) { return std::abs(V) < Tiny ? Tiny : V; };
  double C = 1, D = 1 / NonZero(1 - (A + B) * X / (A + 1)), Result = D;
  for (int M = 1; M < 500; ++M) {
    auto Step = [&](double Term) {
      D = 1 / NonZero(1 + Term * D);
      C = NonZero(1 + Term / C);
      Result *= D * C;
    };
    Step(M * (B - M) * X / ((A + 2 * M - 1) * (A + 2 * M)));
    Step(-(A + M) * (A + B + M) * X / ((A + 2 * M) * (A + 2 * M + 1)));
    if (std::abs(D * C - 1) < 1e-14)
      break;
  }
  return Result;
}

/// The regularized incomplete beta function I_X(A, B).
double incompleteBeta(double A, double B, double X) {
  if (X <= 0 || X >= 1)
    return X <= 0 ? 0 : 1;
  double Front = std::exp(std::lgamma(A + B) - std::lgamma(A) - std::lgamma(B) +
                          A * std::log(X) + B * std::log1p(-X));
  if (X < (A + 1) / (A + B + 2))
    return Front * betaFraction(A, B, X) / A;
  return 1 - Front * betaFraction(B, A, 1 - X) / B;
}

/// One-sided p-value of the F-test: that a ratio of variances with these
/// degrees of freedom is so large.
double varianceRatioP(double Ratio, double Df1, double Df2) {
  return incompleteBeta(Df2 / 2, Df1 / 2, Df2 / (Df2 + Df1 * Ratio));
}

double mean(const std::vector<double> &Values) {
  return std::accumulate(Values.begin(), Values.end(), 0.0) /
         double(Values.size());
}

RunSpread pool(const RunSpread &A, const RunSpread &B) {
  const double Freedom = A.Freedom + B.Freedom;
  if (Freedom <= 0)
    return {};
  return {std::sqrt((A.Deviation * A.Deviation * A.Freedom +
                     B.Deviation * B.Deviation * B.Freedom) /
                    Freedom),
          Freedom};
}

/// In standard errors: the boundary of the test and what lies above it nine
/// times in ten.
double reach(double Error, double Freedom) {
  constexpr double Missed = 0.1;
  return studentQuantile(2 * Error, Freedom) +
         studentQuantile(2 * Missed, Freedom);
}

} // namespace

double autoprof::analysis::studentP(double T, double Df) {
  return incompleteBeta(Df / 2, 0.5, Df / (Df + T * T));
}

double autoprof::analysis::studentQuantile(double P, double Df) {
  double Low = 0, High = 1;
  while (studentP(High, Df) > P)
    High *= 2;
  for (int I = 0; I < 60; ++I) {
    double Middle = (Low + High) / 2;
    (studentP(Middle, Df) > P ? Low : High) = Middle;
  }
  return (Low + High) / 2;
}

RunSpread autoprof::analysis::spreadOf(const std::vector<double> &Runs) {
  if (Runs.size() < 2)
    return {};
  const double Centre = mean(Runs);
  double Squares = 0;
  for (double V : Runs)
    Squares += (V - Centre) * (V - Centre);
  const double Freedom = double(Runs.size() - 1);
  return {std::sqrt(Squares / Freedom), Freedom};
}

RunSpread autoprof::analysis::spreadOf(const Trials &T) {
  return pool(spreadOf(logarithms(T.times(false))),
              spreadOf(logarithms(T.times(true))));
}

GrowthTest::GrowthTest(const std::vector<double> &Base,
                       const std::vector<double> &New, const RunSpread &Noise)
    : Difference(mean(New) - mean(Base)), BaseRuns(Base.size()),
      NewRuns(New.size()) {
  const RunSpread Own = pool(spreadOf(Base), spreadOf(New));
  const bool VariesMore =
      Own.isKnown() && Noise.isKnown() && Own.Deviation > Noise.Deviation &&
      (Noise.Deviation <= 0 ||
       varianceRatioP(std::pow(Own.Deviation / Noise.Deviation, 2), Own.Freedom,
                      Noise.Freedom) < 0.05);
  Used = VariesMore ? Own : pool(Own, Noise);
}

double GrowthTest::error() const {
  return Used.Deviation * std::sqrt(1 / double(BaseRuns) + 1 / double(NewRuns));
}

std::optional<MeanChange> GrowthTest::change() const {
  if (!Used.isKnown())
    return std::nullopt;
  const double Half = studentQuantile(0.05, Used.Freedom) * error();
  return MeanChange{Difference,
                    {Difference - Half, Difference + Half},
                    error() > 0 ? studentP(Difference / error(), Used.Freedom)
                                : double(Difference == 0),
                    studentQuantile(0.01, Used.Freedom) * error()};
}

std::optional<double> GrowthTest::p() const {
  if (!Used.isKnown())
    return std::nullopt;
  if (!(error() > 0))
    return Difference > 0 ? 0 : 1;
  const double TwoSided = change()->P;
  return Difference > 0 ? TwoSided / 2 : 1 - TwoSided / 2;
}

std::optional<double> GrowthTest::visible(double Error) const {
  if (!Used.isKnown())
    return std::nullopt;
  return reach(Error, Used.Freedom) * error();
}
