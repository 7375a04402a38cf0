// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/Statistics.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

using namespace autoprof::analysis;

namespace {

/// Uniform below `Bound`. std::uniform_int_distribution differs between
/// standard libraries; the generator itself does not.
size_t below(std::mt19937_64 &Random, size_t Bound) {
  return size_t((static_cast<unsigned __int128>(Random()) * Bound) >> 64);
}

/// May reorder the values.
double medianOf(std::vector<int64_t> &Values) {
  auto Middle = Values.begin() + int64_t(Values.size() / 2);
  std::nth_element(Values.begin(), Middle, Values.end());
  double Upper = double(*Middle);
  if (Values.size() % 2)
    return Upper;
  return (double(*std::max_element(Values.begin(), Middle)) + Upper) / 2;
}

/// One side of a bootstrap: a series, resampled in circular blocks. A resample
/// of a long series has fewer values than the series, and its median's distance
/// from the series' own is scaled down accordingly: the "m out of n" bootstrap
/// (Bickel, Goetze and van Zwet, Statistica Sinica 7 (1997)); the error of a
/// median shrinks with the square root of the number of values.
class Resampled {
  static constexpr size_t MostValues = 20'000, LeastBlocks = 20;
  const std::vector<int64_t> &Series;
  const size_t Block, Count;
  double Centre, Scale;
  std::vector<int64_t> Scratch;

public:
  Resampled(const std::vector<int64_t> &Series, size_t Block)
      : Series(Series), Block(Block),
        Count(
            std::min(Series.size(), std::max(MostValues, LeastBlocks * Block))),
        Scale(std::sqrt(double(Count) / double(Series.size()))) {
    Scratch = Series;
    Centre = medianOf(Scratch);
  }

  /// Places of a resample.
  void draw(std::vector<size_t> &Places, std::mt19937_64 &Random) const {
    Places.clear();
    while (Places.size() < Count) {
      size_t Index = below(Random, Series.size());
      for (size_t I = 0; I < Block && Places.size() < Count; ++I)
        Places.push_back((Index + I) % Series.size());
    }
  }

  double median(const std::vector<size_t> &Places) {
    Scratch.clear();
    for (size_t I : Places)
      Scratch.push_back(Series[I]);
    double Found = medianOf(Scratch);
    return Count == Series.size() ? Found : Centre + (Found - Centre) * Scale;
  }
};

struct Ranks {
  std::vector<double> Values; ///< From 1; equal values share their mean.
  double Ties = 0;            ///< Sum of t^3 - t over groups of equals.
};

Ranks rank(const std::vector<int64_t> &Values) {
  std::vector<size_t> Order(Values.size());
  std::iota(Order.begin(), Order.end(), size_t(0));
  llvm::sort(Order, [&](size_t A, size_t B) {
    return std::pair(Values[A], A) < std::pair(Values[B], B);
  });
  Ranks R;
  R.Values.resize(Values.size());
  for (size_t I = 0; I < Order.size();) {
    size_t J = I;
    while (J < Order.size() && Values[Order[J]] == Values[Order[I]])
      ++J;
    for (size_t K = I; K < J; ++K)
      R.Values[Order[K]] = double(I + J + 1) / 2;
    double Group = double(J - I);
    R.Ties += Group * Group * Group - Group;
    I = J;
  }
  return R;
}

/// Two-sided, with the correction for continuity.
double normalP(double Distance, double Variance) {
  if (!(Variance > 0))
    return 1;
  double Z = std::max(0.0, Distance - 0.5) / std::sqrt(Variance);
  return std::erfc(Z / std::sqrt(2.0));
}

/// Autocorrelations of the ranks at lags 0, 1, ...; empty when all values are
/// equal.
std::vector<double> autocorrelations(const std::vector<int64_t> &Series,
                                     size_t Lags) {
  std::vector<double> X = rank(Series).Values;
  for (double &V : X)
    V -= double(X.size() + 1) / 2;
  std::vector<double> R;
  for (size_t Lag = 0; Lag <= Lags; ++Lag) {
    double Sum = 0;
    for (size_t I = Lag; I < X.size(); ++I)
      Sum += X[I] * X[I - Lag];
    R.push_back(Sum);
  }
  if (!(R[0] > 0))
    return {};
  for (size_t Lag = Lags + 1; Lag-- > 0;)
    R[Lag] /= R[0];
  return R;
}

} // namespace

int64_t autoprof::analysis::quantile(std::vector<int64_t> Values, double Q) {
  if (Values.empty())
    return 0;
  double Rank = Q * double(Values.size() - 1);
  auto Low = Values.begin() + int64_t(Rank);
  std::nth_element(Values.begin(), Low, Values.end());
  auto Next = std::min_element(Low + 1, Values.end());
  if (Next == Values.end())
    return *Low;
  return *Low + std::llround(double(*Next - *Low) * (Rank - std::floor(Rank)));
}

Dependence autoprof::analysis::dependence(const std::vector<int64_t> &Series) {
  const size_t N = Series.size();
  if (N < 8)
    return {};
  const double LogN = std::log10(double(N)), Root = std::sqrt(double(N));
  const size_t Quiet = std::max<size_t>(5, size_t(std::ceil(std::sqrt(LogN))));
  const size_t MaxLag = std::min(N - 1, size_t(std::ceil(Root)) + Quiet);
  const std::vector<double> R = autocorrelations(Series, MaxLag);
  // The last lag before `Quiet` lags in a row that cannot be told from 0.
  const double Noise = 2 * std::sqrt(LogN / double(N));
  size_t Last = 0;
  for (size_t Lag = 1; Lag < R.size() && Lag <= Last + Quiet; ++Lag)
    if (std::abs(R[Lag]) >= Noise)
      Last = Lag;
  if (!Last)
    return {};
  // Sums under the flat-top window of twice that length.
  const size_t Width = std::min(2 * Last, MaxLag);
  double Time = 1, Slope = 0;
  for (size_t Lag = 1; Lag <= Width; ++Lag) {
    double Weight = std::min(1.0, 2 * (1 - double(Lag) / double(Width)));
    Time += 2 * Weight * R[Lag];
    Slope += 2 * Weight * double(Lag) * R[Lag];
  }
  // For alternating values the sum may be close to 0, or negative.
  const double Density = std::max(Time, 0.1);
  const double Block =
      std::cbrt(1.5 * Slope * Slope / (Density * Density) * double(N));
  const double Longest = std::min(std::ceil(3 * Root), double(N) / 3);
  return {std::max(1.0, Time),
          size_t(std::clamp(std::round(Block), 1.0, std::max(1.0, Longest)))};
}

double autoprof::analysis::mannWhitney(const std::vector<int64_t> &A,
                                       const std::vector<int64_t> &B,
                                       double Time) {
  std::vector<int64_t> All = A;
  All.insert(All.end(), B.begin(), B.end());
  const Ranks R = rank(All);
  const double RankSum = std::accumulate(
      R.Values.begin(), R.Values.begin() + int64_t(A.size()), 0.0);
  const double M = double(A.size()), N = double(B.size()), Sum = M + N;
  const double Variance = M * N / 12 * (Sum + 1 - R.Ties / (Sum * (Sum - 1)));
  return normalP(std::abs(RankSum - M * (M + 1) / 2 - M * N / 2),
                 Variance * Time);
}

double autoprof::analysis::signedRank(const std::vector<int64_t> &A,
                                      const std::vector<int64_t> &B,
                                      double Time) {
  std::vector<int64_t> Sizes;
  std::vector<bool> Positive;
  for (size_t I = 0; I < A.size(); ++I)
    if (A[I] != B[I]) {
      Sizes.push_back(std::abs(A[I] - B[I]));
      Positive.push_back(A[I] > B[I]);
    }
  const Ranks R = rank(Sizes);
  double Sum = 0;
  for (size_t I = 0; I < Sizes.size(); ++I)
    Sum += Positive[I] ? R.Values[I] : 0;
  const double N = double(Sizes.size());
  const double Variance = N * (N + 1) * (2 * N + 1) / 24 - R.Ties / 48;
  return normalP(std::abs(Sum - N * (N + 1) / 4), Variance * Time);
}

ChangeRange
autoprof::analysis::bootstrapChange(const std::vector<int64_t> &Base,
                                    const std::vector<int64_t> &New,
                                    const Resampling &Options) {
  constexpr size_t Resamples = 2000;
  std::mt19937_64 Random(20240607);
  Resampled OfBase(Base, Options.BaseBlock),
      OfNew(New, Options.Paired ? Options.BaseBlock : Options.NewBlock);
  std::vector<size_t> Places;
  std::vector<double> Changes;
  for (size_t I = 0; I < Resamples; ++I) {
    OfBase.draw(Places, Random);
    double B = OfBase.median(Places);
    if (!Options.Paired)
      OfNew.draw(Places, Random);
    Changes.push_back(OfNew.median(Places) / B - 1);
  }
  llvm::sort(Changes);
  auto Bound = [&](size_t Tail) {
    return Interval{Changes[Tail], Changes[Resamples - 1 - Tail]};
  };
  const Interval Wide = Bound(Resamples / 200);
  return {Bound(Resamples / 40), (Wide.High - Wide.Low) / 2};
}
