// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Statistics.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace autoprof::analysis;

namespace {

/// Uniform below `Bound`. std::uniform_int_distribution differs between
/// standard libraries; the generator itself does not.
size_t below(std::mt19937_64 &Random, size_t Bound) {
  return size_t((static_cast<unsigned __int128>(Random()) * Bound) >> 64);
}

double resampledMedian(const std::vector<int64_t> &Values,
                       std::vector<int64_t> &Scratch, std::mt19937_64 &Random) {
  Scratch.clear();
  for (size_t I = 0; I < Values.size(); ++I)
    Scratch.push_back(Values[below(Random, Values.size())]);
  auto Middle = Scratch.begin() + Scratch.size() / 2;
  std::nth_element(Scratch.begin(), Middle, Scratch.end());
  double Upper = double(*Middle);
  if (Scratch.size() % 2)
    return Upper;
  return (double(*std::max_element(Scratch.begin(), Middle)) + Upper) / 2;
}

} // namespace

int64_t autoprof::analysis::quantile(std::vector<int64_t> Values, double Q) {
  if (Values.empty())
    return 0;
  double At = Q * double(Values.size() - 1);
  auto Low = Values.begin() + int64_t(At);
  std::nth_element(Values.begin(), Low, Values.end());
  auto Next = std::min_element(Low + 1, Values.end());
  if (Next == Values.end())
    return *Low;
  return *Low + std::llround(double(*Next - *Low) * (At - std::floor(At)));
}

double autoprof::analysis::mannWhitney(const std::vector<int64_t> &A,
                                       const std::vector<int64_t> &B) {
  std::vector<std::pair<int64_t, bool>> All;
  for (int64_t V : A)
    All.push_back({V, true});
  for (int64_t V : B)
    All.push_back({V, false});
  llvm::sort(All);
  double RankSum = 0, Ties = 0; // Ties: sum of t^3 - t over groups of equals.
  for (size_t I = 0; I < All.size();) {
    size_t J = I;
    while (J < All.size() && All[J].first == All[I].first)
      ++J;
    double Rank = double(I + J + 1) / 2, Group = double(J - I);
    for (size_t K = I; K < J; ++K)
      RankSum += All[K].second ? Rank : 0;
    Ties += Group * Group * Group - Group;
    I = J;
  }
  double M = double(A.size()), N = double(B.size()), Sum = M + N;
  double Variance = M * N / 12 * (Sum + 1 - Ties / (Sum * (Sum - 1)));
  if (!(Variance > 0))
    return 1;
  double Distance = std::abs(RankSum - M * (M + 1) / 2 - M * N / 2);
  double Z = std::max(0.0, Distance - 0.5) / std::sqrt(Variance);
  return std::erfc(Z / std::sqrt(2.0));
}

Interval autoprof::analysis::bootstrapChange(const std::vector<int64_t> &Base,
                                             const std::vector<int64_t> &New) {
  constexpr int Resamples = 2000;
  std::mt19937_64 Random(20240607);
  std::vector<int64_t> Scratch;
  std::vector<double> Changes;
  for (int I = 0; I < Resamples; ++I) {
    double B = resampledMedian(Base, Scratch, Random);
    Changes.push_back(resampledMedian(New, Scratch, Random) / B - 1);
  }
  llvm::sort(Changes);
  return {Changes[Resamples / 40], Changes[Resamples - 1 - Resamples / 40]};
}
