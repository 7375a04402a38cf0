// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/Stopping.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace autoprof::analysis;

namespace {

constexpr size_t Series = 100'000;

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

StoppingPlan::StoppingPlan(std::vector<Look> Given) : Looks(std::move(Given)) {
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
  Claim = boundaries(Error);
  Exclude = boundaries(IntervalError);
}

/// At each look the largest boundary for which no more series have crossed it,
/// now or earlier, than may have.
std::vector<int> StoppingPlan::boundaries(double Error) const {
  std::vector<int> Result;
  std::vector<bool> Crossed(Series);
  size_t Gone = 0;
  for (size_t L = 0; L < Looks.size(); ++L) {
    std::vector<size_t> Count(Looks[L].Base * Looks[L].New / 2 + 1);
    for (size_t S = 0; S < Series; ++S)
      if (!Crossed[S])
        ++Count[Simulated[L][S]];
    const double May = spent(Error, L, Looks.size()) * double(Series);
    int Boundary = -1;
    while (size_t(Boundary + 1) < Count.size() &&
           double(Gone + Count[size_t(Boundary + 1)]) <= May)
      Gone += Count[size_t(++Boundary)];
    for (size_t S = 0; S < Series; ++S)
      if (int(Simulated[L][S]) <= Boundary)
        Crossed[S] = true;
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
  size_t Worse = 0;
  for (size_t S = 0; S < Series; ++S) {
    bool Is = double(Simulated[Look][S]) <= Disorder;
    for (size_t L = 0; L < Look && !Is; ++L)
      Is = int(Simulated[L][S]) <= Claim[L];
    Worse += Is;
  }
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
