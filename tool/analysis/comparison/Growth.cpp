// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/Growth.h"

#include <cmath>

using namespace autoprof::analysis;

namespace {

/// In standard errors: the boundary of the test and what lies above it nine
/// times in ten.
double reach(double Error, double Freedom) {
  constexpr double Missed = 0.1;
  return studentQuantile(2 * Error, Freedom) +
         studentQuantile(2 * Missed, Freedom);
}

} // namespace

RunSpread autoprof::analysis::spreadOf(const Trials &T) {
  return pool(spreadOf(logarithms(T.times(false))),
              spreadOf(logarithms(T.times(true))));
}

RunSpread autoprof::analysis::pool(const RunSpread &A, const RunSpread &B) {
  const double Freedom = A.Freedom + B.Freedom;
  if (Freedom <= 0)
    return {};
  return {std::sqrt((A.Deviation * A.Deviation * A.Freedom +
                     B.Deviation * B.Deviation * B.Freedom) /
                    Freedom),
          Freedom};
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
