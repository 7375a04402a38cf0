// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/Stopping.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace autoprof::analysis;

namespace {

constexpr size_t MostSeries = 100'000, LeastSeries = 20'000;

/// Two sides that grow, and how many pairs have the larger value on the new
/// one.
class GrowingSides {
  std::vector<uint32_t> Base, New;
  uint32_t InOrder = 0;

public:
  void clear() {
    Base.clear();
    New.clear();
    InOrder = 0;
  }
  void growTo(const Look &L, std::mt19937 &Random) {
    while (Base.size() < L.Base) {
      const auto V = uint32_t(Random());
      for (uint32_t N : New)
        InOrder += V < N;
      Base.push_back(V);
    }
    while (New.size() < L.New) {
      const auto V = uint32_t(Random());
      for (uint32_t B : Base)
        InOrder += B < V;
      New.push_back(V);
    }
  }
  uint32_t disorder() const {
    const auto Pairs = uint32_t(Base.size() * New.size());
    return std::min(InOrder, Pairs - InOrder);
  }
};

/// Lan's and DeMets' form of Pocock's boundary.
double spent(double Error, size_t Look, size_t Looks) {
  return Error *
         std::log1p((std::exp(1.0) - 1) * double(Look + 1) / double(Looks));
}

/// Of the number of pairs in disorder where nothing differs.
double middle(const Look &L) { return double(L.Base) * double(L.New) / 2; }
double deviation(const Look &L) {
  return std::sqrt(middle(L) * double(L.Base + L.New + 1) / 6);
}

} // namespace

std::vector<Look> autoprof::analysis::alternatingLooks(size_t MostRuns) {
  std::vector<Look> Looks;
  for (size_t Runs = 4; Runs <= MostRuns; Runs += 2)
    Looks.push_back({Runs, Runs});
  return Looks;
}

std::vector<Look> autoprof::analysis::looksAgainst(size_t BaseRuns,
                                                   size_t MostRuns) {
  std::vector<Look> Looks;
  for (size_t Runs = 4; Runs <= MostRuns; Runs += 2)
    Looks.push_back({BaseRuns, Runs});
  return Looks;
}

StoppingPlan::StoppingPlan(std::vector<Look> Given, double ClaimError)
    : Looks(std::move(Given)), ClaimError(ClaimError) {
  constexpr size_t Frequent = 20;
  if (Looks.size() == 1 && std::min(Looks[0].Base, Looks[0].New) >= Frequent)
    approximate();
  else if (!Looks.empty())
    simulate();
}

/// Of one look: the number of pairs in disorder is nearly normal.
void StoppingPlan::approximate() {
  const double Middle = middle(Looks[0]), Sd = deviation(Looks[0]);
  constexpr double Claims = 2.5758, Excludes = 1.9600; // Normal quantiles.
  Claim = {int(std::floor(Middle - Claims * Sd))};
  Exclude = {int(std::floor(Middle - Excludes * Sd))};
}

void StoppingPlan::simulate() {
  // The time goes with the pairs of one series.
  constexpr double Cheap = 60.0 * 60.0;
  const double Pairs = double(Looks.back().Base) * double(Looks.back().New);
  Series = std::clamp(size_t(double(MostSeries) * Cheap / Pairs), LeastSeries,
                      MostSeries);
  Simulated.assign(Looks.size(), std::vector<uint16_t>(Series));
  std::mt19937 Random(20261122);
  GrowingSides Sides;
  for (size_t S = 0; S < Series; ++S) {
    Sides.clear();
    for (size_t L = 0; L < Looks.size(); ++L) {
      Sides.growTo(Looks[L], Random);
      Simulated[L][S] = uint16_t(Sides.disorder());
    }
  }
  Claim = boundaries(ClaimError);
  ClaimedAt.assign(Series, uint16_t(Looks.size()));
  for (size_t S = 0; S < Series; ++S)
    for (size_t L = 0; L < Looks.size(); ++L)
      if (int(Simulated[L][S]) <= Claim[L]) {
        ClaimedAt[S] = uint16_t(L);
        break;
      }
  Exclude = boundaries(IntervalError);
}

/// At each look, the largest boundary that no more than the allowed number of
/// series have crossed, now or earlier.
std::vector<int> StoppingPlan::boundaries(double Error) const {
  std::vector<int> Result;
  std::vector<bool> Crossed(Series);
  size_t Gone = 0;
  for (size_t L = 0; L < Looks.size(); ++L) {
    std::vector<size_t> Count(Looks[L].Base * Looks[L].New / 2 + 1);
    for (size_t S = 0; S < Series; ++S)
      if (!Crossed[S])
        ++Count[Simulated[L][S]];
    const double Spendable = spent(Error, L, Looks.size()) * double(Series);
    size_t Beyond = 0; // Numbers of pairs in disorder.
    while (Beyond < Count.size() && double(Gone + Count[Beyond]) <= Spendable)
      Gone += Count[Beyond++];
    for (size_t S = 0; S < Series; ++S)
      if (Simulated[L][S] < Beyond)
        Crossed[S] = true;
    const int Boundary = int(Beyond) - 1;
    Result.push_back(Boundary);
  }
  return Result;
}

std::optional<size_t> StoppingPlan::lookAt(size_t BaseRuns,
                                           size_t NewRuns) const {
  std::optional<size_t> Found;
  for (size_t L = 0; L < Looks.size(); ++L)
    if (Looks[L].Base <= BaseRuns && Looks[L].New <= NewRuns)
      Found = L;
  return Found;
}

/// How many series without a difference stop earlier with a claim, or look like
/// this one at least. Never 0: the simulation ends somewhere.
double StoppingPlan::pValue(size_t Look, double Disorder) const {
  if (Simulated.empty()) {
    const double Z = (middle(Looks[Look]) - Disorder) / deviation(Looks[Look]);
    return std::erfc(std::max(0.0, Z) / std::sqrt(2.0));
  }
  size_t Worse = 0;
  for (size_t S = 0; S < Series; ++S)
    Worse += ClaimedAt[S] < Look || double(Simulated[Look][S]) <= Disorder;
  return double(Worse + 1) / double(Series + 1);
}

RunsCompared StoppingPlan::compare(size_t Look, std::vector<double> Base,
                                   std::vector<double> New) const {
  Base.resize(Looks[Look].Base);
  New.resize(Looks[Look].New);
  std::vector<double> Differences;
  double Above = 0;
  for (double B : Base)
    for (double N : New) {
      Differences.push_back(N - B);
      Above += N > B ? 1 : N == B ? 0.5 : 0;
    }
  std::sort(Differences.begin(), Differences.end());
  const size_t Pairs = Differences.size();
  RunsCompared C;
  C.Shift = (Differences[(Pairs - 1) / 2] + Differences[Pairs / 2]) / 2;
  const double Disorder = std::min(Above, double(Pairs) - Above);
  C.Differs = Disorder <= double(Claim[Look]);
  C.P = pValue(Look, Disorder);
  if (Exclude[Look] >= 0) {
    const auto Skip = size_t(Exclude[Look]) + 1;
    C.Range = Interval{Differences[Skip - 1], Differences[Pairs - Skip]};
  }
  return C;
}
