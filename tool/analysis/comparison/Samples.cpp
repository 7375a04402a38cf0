// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/Samples.h"

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

} // namespace

double autoprof::analysis::mean(const std::vector<double> &Values) {
  return std::accumulate(Values.begin(), Values.end(), 0.0) /
         double(Values.size());
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

double autoprof::analysis::varianceRatioP(double Ratio, double Df1,
                                          double Df2) {
  return incompleteBeta(Df2 / 2, Df1 / 2, Df2 / (Df2 + Df1 * Ratio));
}
