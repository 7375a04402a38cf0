// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/Diff.h"

#include "analysis/Analysis.h"
#include "analysis/common/Sorting.h"
#include "analysis/comparison/Growth.h"
#include "analysis/comparison/Match.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <cstdlib>
#include <map>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::None;

namespace {

using Runs = std::vector<RunSummary>;

/// What the costs of one side are computed from: the row of each run, or null
/// where it did not run.
using SideRows = std::vector<const SiteRow *>;

using Figure = std::optional<int64_t> SiteRow::*;
using StepFigure = int64_t SiteSteps::*;

class Comparison {
  Difference D;
  DiffPlaces Places;
  const bool AreSame; ///< See compare().

  const Runs &side(bool IsNew) const { return IsNew ? D.New : D.Base; }
  std::optional<size_t> stepPlace(bool IsNew, size_t Run) const;
  std::optional<StepMismatch> mismatch(bool IsNew, size_t Run) const;
  bool isAlike(bool IsNew, size_t Run) const { return !mismatch(IsNew, Run); }
  bool allRuns(llvm::function_ref<bool(bool IsNew, size_t Run)> Test) const;

  std::optional<StepMismatch> anyMismatch() const;
  std::optional<StepChange> compareSteps() const;
  void compareMedians(StepChange &C) const;
  double runsVary() const;

  bool missed(bool IsNew, size_t Run, const SideRows &Other) const;
  Presence presence(bool IsNew, const SideRows &Own,
                    const SideRows &Other) const;
  std::optional<int64_t> cost(bool IsNew, const SideRows &Rows, Figure Whole,
                              StepFigure InSteps) const;
  SiteChange compareSite(const SideRows &Base, const SideRows &New) const;
  void compareSites();

  void compareParts();

public:
  Comparison(Runs Base, Runs New, bool AreSame)
      : Places(Base, New), AreSame(AreSame) {
    D.Base = std::move(Base);
    D.New = std::move(New);
  }
  Difference run();
};

std::optional<size_t> Comparison::stepPlace(bool IsNew, size_t Run) const {
  const RunSummary &S = side(IsNew)[Run];
  for (uint32_t I = 0; S.R.Steps.Site && I < S.Table.size(); ++I)
    if (S.Table[I].Id == S.R.Steps.Site)
      return Places.of(IsNew, Run, I);
  return std::nullopt;
}

/// With the first run of the base.
std::optional<StepMismatch> Comparison::mismatch(bool IsNew, size_t Run) const {
  const Steps &Base = D.Base[0].R.Steps, &Here = side(IsNew)[Run].R.Steps;
  if (Base.List.empty() || Here.List.empty())
    return StepMismatch{StepMismatch::NoSteps, IsNew && Here.List.empty(), Run};
  if (Base.FromGpu != Here.FromGpu)
    return StepMismatch{StepMismatch::Clock, IsNew, Run};
  // Of the same side, where the user named the other side's.
  const bool ModelIsNew = IsNew && AreSame;
  const Steps &Model = side(ModelIsNew)[0].R.Steps;
  auto Expected = stepPlace(ModelIsNew, 0), Place = stepPlace(IsNew, Run);
  const bool IsSame = Expected || Place
                          ? Expected == Place
                          : Model.Site == Here.Site &&
                                (Model.Site || Model.Source == Here.Source);
  if (IsSame)
    return std::nullopt;
  return StepMismatch{StepMismatch::Place, IsNew, Run};
}

std::optional<StepMismatch> Comparison::anyMismatch() const {
  std::optional<StepMismatch> First;
  allRuns([&](bool IsNew, size_t Run) {
    First = mismatch(IsNew, Run);
    return !First;
  });
  return First;
}

bool Comparison::allRuns(
    llvm::function_ref<bool(bool IsNew, size_t Run)> Test) const {
  for (bool IsNew : {false, true})
    for (size_t Run = 0; Run < side(IsNew).size(); ++Run)
      if (!Test(IsNew, Run))
        return false;
  return true;
}

/// Each run is one number.
void Comparison::compareMedians(StepChange &C) const {
  std::vector<int64_t> Medians[2];
  C.Enough = true;
  for (bool IsNew : {false, true})
    for (const RunSummary &S : side(IsNew)) {
      const std::vector<int64_t> Times = S.R.Steps.times();
      (IsNew ? C.NewCount : C.BaseCount) += Times.size();
      Medians[IsNew].push_back(median(Times));
      C.Enough &=
          Medians[IsNew].back() > 0 && (C.ofRuns() || Times.size() >= MinSteps);
    }
  C.BaseMedian = median(Medians[0]);
  C.NewMedian = median(Medians[1]);
  if (!C.Enough || !C.ofRuns())
    return;
  const MeanChange M =
      *GrowthTest(logarithms(Medians[0]), logarithms(Medians[1])).change();
  C.P = M.P;
  C.Range = {std::expm1(M.Range.Low), std::expm1(M.Range.High)};
  C.Visible = std::expm1(M.Visible);
}

/// Of either side the larger.
double Comparison::runsVary() const {
  double Known = 0;
  allRuns([&](bool IsNew, size_t Run) {
    if (const std::optional<Steady> &SideSteady = side(IsNew)[Run].R.InSteps)
      Known = std::max(Known, knownVariation(SideSteady->Limit));
    return true;
  });
  return Known > 0 ? Known : knownVariation(Regime::LaunchBound);
}

std::optional<StepChange> Comparison::compareSteps() const {
  if (D.Mismatch)
    return std::nullopt;
  StepChange C;
  C.BaseRuns = D.Base.size();
  C.NewRuns = D.New.size();
  compareMedians(C);
  if (C.BaseMedian <= 0 || C.NewMedian <= 0)
    return std::nullopt;
  C.Change = double(C.NewMedian) / double(C.BaseMedian) - 1;
  if (C.BaseRuns > 1 && C.NewRuns > 1)
    C.Basis = StepBasis::Recorded;
  else
    C.RunsVary = runsVary();
  C.Significant = C.Basis != StepBasis::OneRun && C.Enough && C.P < 0.01 &&
                  (C.Range.Low > 0 || C.Range.High < 0);
  auto Lead = [](const Runs &Side) {
    std::vector<int64_t> Leads;
    for (const RunSummary &S : Side)
      Leads.push_back(median(S.R.Steps.leads()));
    return median(std::move(Leads));
  };
  C.BaseLead = Lead(D.Base);
  C.NewLead = Lead(D.New);
  return C;
}

/// Whether this recording could not have what the other side's has.
bool Comparison::missed(bool IsNew, size_t Run, const SideRows &Other) const {
  const RunSummary &Here = side(IsNew)[Run];
  if (!Here.CutOff && !Here.Limited)
    return false;
  for (size_t I = 0; I < Other.size(); ++I) {
    if (!Other[I])
      continue;
    const RunSummary &There = side(!IsNew)[I];
    const size_t First = Other[I]->FirstIn, Steps = Here.R.Steps.List.size();
    if (!isAlike(IsNew, Run) || !isAlike(!IsNew, I) ||
        First > There.R.Steps.List.size() || (!First && Here.Limited) ||
        First > Steps)
      return true;
  }
  return false;
}

Presence Comparison::presence(bool IsNew, const SideRows &Own,
                              const SideRows &Other) const {
  auto Ran = [](const SiteRow *Row) { return Row != nullptr; };
  auto Waited = [](const SiteRow *Row) { return Row && Row->Waits; };
  if (llvm::any_of(Own, Waited) ||
      (llvm::any_of(Own, Ran) && llvm::none_of(Other, Waited)))
    return Presence::Ran;
  // It did not run, or did not come to wait.
  for (size_t Run = 0; Run < Own.size(); ++Run)
    if (missed(IsNew, Run, Other))
      return Presence::NotReached;
  return llvm::any_of(Own, Ran) ? Presence::Ran : Presence::NotRun;
}

std::optional<int64_t> Comparison::cost(bool IsNew, const SideRows &Rows,
                                        Figure Whole,
                                        StepFigure InSteps) const {
  std::vector<int64_t> Values;
  for (size_t Run = 0; Run < Rows.size(); ++Run) {
    const RunSummary &S = side(IsNew)[Run];
    if (!S.R.WaitsKnown)
      return std::nullopt;
    const SiteRow *Row = Rows[Run];
    Values.push_back(!Row ? 0
                     : D.PerStep
                         ? (*Row->Steps).*InSteps / int64_t(S.R.InSteps->Count)
                         : *(Row->*Whole));
  }
  return median(std::move(Values));
}

SiteChange Comparison::compareSite(const SideRows &Base,
                                   const SideRows &New) const {
  SiteChange C;
  auto First = [&](bool IsNew, const SideRows &Rows, const SiteRow *&Row,
                   const trace::Site *&Place) {
    for (size_t Run = 0; Run < Rows.size() && !Row; ++Run)
      if (Rows[Run]) {
        Row = Rows[Run];
        Place = &Row->place(side(IsNew)[Run].Table);
      }
  };
  First(false, Base, C.Base, C.BasePlace);
  First(true, New, C.New, C.NewPlace);
  C.InBase = presence(false, Base, New);
  C.InNew = presence(true, New, Base);
  if (C.InBase != Presence::NotReached) {
    C.BaseWait = cost(false, Base, &SiteRow::Wait, &SiteSteps::Wait);
    C.BaseExposed = cost(false, Base, &SiteRow::Exposed, &SiteSteps::Exposed);
  }
  if (C.InNew != Presence::NotReached) {
    C.NewWait = cost(true, New, &SiteRow::Wait, &SiteSteps::Wait);
    C.NewExposed = cost(true, New, &SiteRow::Exposed, &SiteSteps::Exposed);
  }
  return C;
}

void Comparison::compareSites() {
  struct BothSides {
    SideRows Sides[2];
    std::string Guess;
  };
  std::vector<BothSides> Rows;
  std::map<std::pair<size_t, std::string>, size_t> Index;
  for (bool IsNew : {false, true})
    for (size_t Run = 0; Run < side(IsNew).size(); ++Run) {
      const RunSummary &S = side(IsNew)[Run];
      for (const SiteRow &Row : S.R.Sites) {
        const bool HasSite = Row.Site != None;
        const size_t Place = HasSite ? Places.of(IsNew, Run, Row.Site) : None;
        auto [It, Added] =
            Index.try_emplace({Place, HasSite ? "" : Row.Call}, Rows.size());
        if (Added) {
          Rows.emplace_back();
          for (bool Other : {false, true})
            Rows.back().Sides[Other].resize(side(Other).size());
          if (HasSite)
            Rows.back().Guess = Places.guess(Place);
        }
        Rows[It->second].Sides[IsNew][Run] = &Row;
      }
    }
  for (const BothSides &B : Rows) {
    D.Sites.push_back(compareSite(B.Sides[0], B.Sides[1]));
    D.Sites.back().Guess = B.Guess;
  }
  auto Size = [](const SiteChange &C) {
    return std::abs(C.NewWait.value_or(0) - C.BaseWait.value_or(0));
  };
  largestFirst(D.Sites, Size);
}

void Comparison::compareParts() {
  if (!D.Step || !allRuns([&](bool IsNew, size_t Run) {
        return side(IsNew)[Run].R.Steps.measured() > 0;
      }))
    return;
  std::map<std::pair<size_t, std::string>, PartChange> Parts;
  allRuns([&](bool IsNew, size_t Run) {
    const RunSummary &S = side(IsNew)[Run];
    const auto Steps = double(S.R.Steps.measured() * side(IsNew).size());
    auto Add = [&](size_t Number, std::string Name, uint64_t Count,
                   int64_t Ns) -> PartChange & {
      PartChange &C = Parts[{Number, std::move(Name)}];
      (IsNew ? C.NewCount : C.BaseCount) += double(Count) / Steps;
      (IsNew ? C.NewTime : C.BaseTime) += double(Ns) / Steps;
      return C;
    };
    // An operation belongs to the step in whose time it ended, which only the
    // GPU's clock tells.
    for (const KernelRow &One : S.R.Kernels)
      if (S.R.Steps.FromGpu && One.StepCount)
        Add(None, One.Name, One.StepCount, One.StepTotal);
    for (const RangeRow &One : S.R.Ranges) {
      if (!One.StepCount ||
          (S.R.Steps.Site && S.Table[One.Site].Id == S.R.Steps.Site))
        continue;
      PartChange &C = Add(Places.of(IsNew, Run, One.Site), "", One.StepCount,
                          One.StepTotal);
      if (!C.Place)
        C.Place = &S.Table[One.Site];
    }
    return true;
  });
  for (auto &[Key, C] : Parts) {
    C.IsKernel = !C.Place;
    C.Name = C.IsKernel ? Key.second : C.Place->Function;
    C.OfStep = (C.NewTime - C.BaseTime) / double(D.Step->BaseMedian);
    D.Parts.push_back(std::move(C));
  }
  largestFirst(D.Parts, [](const PartChange &A) { return std::abs(A.OfStep); });
}

Difference Comparison::run() {
  D.Mismatch = anyMismatch();
  D.Step = compareSteps();
  D.PerStep = D.Step && allRuns([&](bool IsNew, size_t Run) {
                return bool(side(IsNew)[Run].R.InSteps);
              });
  compareSites();
  compareParts();
  return std::move(D);
}

} // namespace

void analysis::alignSteps(uint64_t Site, const trace::Timeline &T, Result &R) {
  if (!Site || Site == R.Steps.Site)
    return;
  Steps Same = findStepsOfSite(T, Site);
  if (Same.List.size() >= 3)
    R = analyse(T, std::move(Same), R.Measured);
}

Difference analysis::compare(std::vector<RunSummary> Base,
                             std::vector<RunSummary> New, bool AreSame) {
  return Comparison(std::move(Base), std::move(New), AreSame).run();
}

double analysis::knownVariation(Regime R) {
  static constexpr std::pair<Regime, double> Known[] = {
#define KNOWN_VARIATION(REGIME, SHARE, SOURCE) {Regime::REGIME, SHARE},
#include "analysis/comparison/KnownVariation.def"
  };
  for (auto [Limit, Share] : Known)
    if (Limit == R)
      return Share;
  return 0;
}

bool Difference::isSlower() const {
  if (Judged)
    return Judged->Differs && Judged->Change > 0;
  return Step && Step->Significant && Step->Change > 0;
}

void analysis::useTrials(Difference &D, Trials Runs) {
  D.Judged = judge(Runs, StoppingPlan(Runs.looks()));
  D.Compared = std::move(Runs);
  if (!D.Judged || D.Compared->Metric != TrialMetric::Step)
    return;
  const TrialsJudged &J = *D.Judged;
  if (!D.Step)
    D.Step.emplace();
  StepChange &S = *D.Step;
  S.Basis = StepBasis::Unrecorded;
  S.BaseRuns = J.BaseRuns;
  S.NewRuns = J.NewRuns;
  S.BaseMedian = J.BaseTime;
  S.NewMedian = J.NewTime;
  S.Change = J.Change;
  S.Enough = J.Range.has_value();
  S.Range = J.Range.value_or(Interval{0, 0});
  S.Visible = (S.Range.High - S.Range.Low) / 2;
  S.P = J.P;
  S.Significant = J.Differs;
  S.RunsVary.reset();
}
