// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/Baseline.h"

#include "analysis/common/Sorting.h"
#include "analysis/comparison/Match.h"
#include "config/StepName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <cmath>
#include <map>
#include <set>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::None;

namespace {

using Traces = std::vector<RunSummary>;

/// Which run each trace is of: the k-th trace of a rank is of the k-th run.
std::vector<size_t> runOf(const Traces &All) {
  const bool AreRanks = llvm::all_of(All, [](const RunSummary &S) {
    return S.Info.Rank && S.Info.Ranks.value_or(0) > 1;
  });
  std::vector<size_t> Result;
  std::map<int64_t, size_t> Seen;
  for (const RunSummary &S : All)
    Result.push_back(AreRanks ? Seen[*S.Info.Rank]++ : Result.size());
  return Result;
}

/// The largest of each run; a trace without a value has 0.
using PerRun = std::vector<int64_t>;

void add(PerRun &To, size_t Run, int64_t Value) {
  To[Run] = std::max(To[Run], Value);
}

/// What a place costs a step.
struct Cost {
  trace::Site Place;
  std::string Call;
  PerRun Wait, Exposed;
};

/// The new side in the same terms as a baseline.
struct Measured {
  std::vector<size_t> RunOf;
  size_t Runs = 0;
  PerRun Step;
  /// By the number of the place, or by name for calls without a line.
  std::map<std::pair<size_t, std::string>, Cost> Costs;

  Measured(const Traces &All, const DiffPlaces &Places);
};

Measured::Measured(const Traces &All, const DiffPlaces &Places)
    : RunOf(runOf(All)), Runs(*llvm::max_element(RunOf) + 1), Step(Runs) {
  for (size_t I = 0; I < All.size(); ++I) {
    const RunSummary &S = All[I];
    const int64_t Count = int64_t(S.R.InSteps->Count);
    add(Step, RunOf[I], median(S.R.Steps.times()));
    for (const SiteRow &R : S.R.Sites) {
      if (!R.Steps->Waits)
        continue;
      const bool HasSite = R.Site != None;
      auto [It, Added] = Costs.try_emplace(
          {HasSite ? Places.of(true, I, R.Site) : None, HasSite ? "" : R.Call});
      if (Added)
        It->second = {R.place(S.Table), R.Call, PerRun(Runs), PerRun(Runs)};
      add(It->second.Wait, RunOf[I], R.Steps->Wait / Count);
      add(It->second.Exposed, RunOf[I], R.Steps->Exposed / Count);
    }
  }
}

std::string devicesOf(const RunSummary &S) {
  return llvm::join(S.Devices, " + ");
}

double runsVary(const Traces &All) {
  double Result = 0;
  for (const RunSummary &S : All)
    Result = std::max(Result, knownVariation(S.R.InSteps->Limit));
  return Result;
}

bool areInOrder(const BaselineSite &A, const BaselineSite &B) {
  auto Key = [](const BaselineSite &S) {
    return std::tie(S.Place.File, S.Place.Function, S.Place.Line,
                    S.Place.Column, S.Call, S.Place.Id);
  };
  return Key(A) < Key(B);
}

std::vector<double> doubles(const std::vector<int64_t> &Values) {
  return {Values.begin(), Values.end()};
}

class Checker {
  const Baseline &B;
  const Traces &New;
  const CheckLimits &Limits;
  const RunSpread Noise;
  std::vector<CheckFinding> OfSites; ///< Compared ones, beyond a limit or not.
  RunSummary BaseTable;              ///< The baseline as a side of DiffPlaces.
  DiffPlaces Places;
  Measured M;
  const bool AreSame; ///< See check().
  CheckResult R;

  static RunSummary asRun(const Baseline &B) {
    RunSummary S;
    S.Table = B.table();
    return S;
  }
  bool isItsStep(size_t Trace) const;
  llvm::Error checkSteps() const;
  int64_t stepSaving() const;
  void judge(const CheckFinding &F, double Error);
  void checkSites();
  void judgeSites();
  void checkStep();

public:
  Checker(const Baseline &B, const Traces &New, const CheckLimits &Limits,
          const RunSpread &Noise, bool AreSame)
      : B(B), New(New), Limits(Limits),
        Noise(Noise.isKnown() ? Noise : B.Noise), BaseTable(asRun(B)),
        Places({BaseTable}, New), M(New, Places), AreSame(AreSame) {}
  llvm::Expected<CheckResult> run();
};

bool Checker::isItsStep(size_t Trace) const {
  const Steps &Have = New[Trace].R.Steps;
  if (!Have.Site != !B.StepSite)
    return false;
  if (!Have.Site)
    return Have.Source == B.Source;
  auto Find = [](const std::vector<trace::Site> &Table, uint64_t Id) {
    return uint32_t(
        llvm::find_if(Table,
                      [Id](const trace::Site &S) { return S.Id == Id; }) -
        Table.begin());
  };
  const uint32_t Was = Find(BaseTable.Table, B.StepSite),
                 Is = Find(New[Trace].Table, Have.Site);
  // NVTX ranges and what repeats have no line, so a baseline has only their id.
  if (Was == BaseTable.Table.size())
    return Have.Site == B.StepSite;
  return Is < New[Trace].Table.size() &&
         Places.of(false, 0, Was) == Places.of(true, Trace, Is);
}

/// ns per step; 0: the step is not shorter, or perhaps by chance.
int64_t Checker::stepSaving() const {
  if (R.NewStep <= 0 || R.NewStep >= R.BaseStep)
    return 0;
  const std::optional<double> P =
      GrowthTest(logarithms(M.Step), logarithms(B.StepMedians), Noise).p();
  const bool IsSure =
      P ? *P<CheckLimits::StepError : double(R.BaseStep)>(1 + R.RunsVary) *
              double(R.NewStep);
  return IsSure ? R.BaseStep - R.NewStep : 0;
}

/// Beyond its limit, and beyond chance with this error.
void Checker::judge(const CheckFinding &F, double Error) {
  const auto More = double(F.New - F.Base);
  if (More <= F.Allowed * double(R.BaseStep))
    return;
  if (F.Rule != CheckRule::Slowdown && F.New - F.Base < stepSaving()) {
    R.Outweighed.push_back(F);
    return;
  }
  const bool IsSure = F.P ? *F.P < Error : More > R.RunsVary * double(F.Base);
  (IsSure ? R.Failures : R.Doubtful).push_back(F);
}

/// The smallest p first, each with its share of the remaining error: as soon as
/// one is not significant, none after it is.
void Checker::judgeSites() {
  std::vector<size_t> Order;
  for (size_t I = 0; I < OfSites.size(); ++I)
    Order.push_back(I);
  sortBy(Order, [&](size_t A) { return OfSites[A].P.value_or(1); });
  std::vector<double> Errors(OfSites.size());
  bool AreSure = true;
  for (size_t Rank = 0; Rank < Order.size(); ++Rank) {
    const double Share = (CheckLimits::Error - CheckLimits::StepError) /
                         double(Order.size() - Rank);
    AreSure &= OfSites[Order[Rank]].P.value_or(1) < Share;
    Errors[Order[Rank]] = AreSure ? Share : 0;
  }
  for (size_t I = 0; I < OfSites.size(); ++I)
    judge(OfSites[I], Errors[I]);
}

void Checker::checkSites() {
  std::map<std::pair<size_t, std::string>, const BaselineSite *> Known;
  for (uint32_t I = 0; I < B.Sites.size(); ++I)
    if (!B.Sites[I].Wait.empty()) {
      const bool HasPlace = !B.Sites[I].Place.File.empty();
      Known[{HasPlace ? Places.of(false, 0, I) : None,
             HasPlace ? "" : B.Sites[I].Call}] = &B.Sites[I];
    }
  const double Whole = double(R.SameDevice ? R.BaseStep : R.NewStep);
  for (const auto &[Key, C] : M.Costs) {
    ++R.Waiting;
    auto It = Known.find(Key);
    if (It == Known.end()) {
      const int64_t Wait = median(C.Wait);
      if (Limits.checks(CheckRule::NewWait) &&
          double(Wait) > Limits.NewWait * Whole)
        R.Failures.push_back({CheckRule::NewWait, C.Place, C.Call, 0, Wait,
                              median(C.Exposed), Limits.NewWait, std::nullopt});
      continue;
    }
    const BaselineSite &Was = *It->second;
    Known.erase(It);
    if (Key.first != None && !Places.guess(Key.first).empty())
      R.Guesses.push_back({C.Place, Places.guess(Key.first)});
    if (!R.SameDevice || !Limits.checks(CheckRule::MoreStall))
      continue;
    OfSites.push_back(
        {CheckRule::MoreStall, C.Place, C.Call, median(Was.Exposed),
         median(C.Exposed), 0, Limits.MoreStall,
         GrowthTest(doubles(Was.Exposed), doubles(C.Exposed)).p()});
  }
  judgeSites();
  for (const auto &[Key, Was] : Known)
    R.Gone.push_back(*Was);
}

void Checker::checkStep() {
  CheckFinding F{CheckRule::Slowdown, {}, "", R.BaseStep, R.NewStep, 0,
                 Limits.Slowdown,     {}};
  for (const trace::Site &S : New[0].Table)
    if (S.Id && S.Id == New[0].R.Steps.Site)
      F.Place = S;
  const GrowthTest Test(logarithms(B.StepMedians), logarithms(M.Step), Noise);
  F.P = Test.p();
  if (Test.spread().isKnown()) {
    R.Power = {Test.spread(), std::expm1(*Test.visible(CheckLimits::StepError)),
               std::nullopt};
    const size_t Needed = runsNeeded(Test.spread().Deviation, Limits.Slowdown);
    if (Limits.Slowdown > 0 && Needed <= CheckPower::MostRuns)
      R.Power->RunsNeeded = Needed;
  }
  judge(F, CheckLimits::StepError);
}

llvm::Error Checker::checkSteps() const {
  for (size_t I = 0; I < New.size(); ++I) {
    const Steps &Have = New[I].R.Steps;
    if (!AreSame && !isItsStep(I)) {
      const std::string Was = stepName(B);
      return llvm::createStringError(
          New[I].Path + " has different steps (" + Have.Source +
          ") than the baseline (" + B.Source + "): " +
          (Was.empty() || Have.Name.empty()
               ? ""
               : "if they are the same, pass --base-step=" + Was +
                     " --step=" + Have.Name + "; otherwise ") +
          "select the steps with --step, or write a new baseline with "
          "--update");
    }
    if (Have.FromGpu != B.FromGpu)
      return llvm::createStringError(
          New[I].Path + " has steps timed on the " +
          (Have.FromGpu ? "GPU, but the baseline's are timed on the host, "
                          "because some had no GPU work"
                        : "host, because some have no GPU work, but the "
                          "baseline's are timed on the GPU") +
          "; write a new baseline with --update");
  }
  return llvm::Error::success();
}

llvm::Expected<CheckResult> Checker::run() {
  if (llvm::Error E = checkSteps())
    return std::move(E);
  R.Device = devicesOf(New[0]);
  R.SameDevice = R.Device == B.Device;
  R.BaseRuns = B.StepMedians.size();
  R.NewRuns = M.Runs;
  R.BaseStep = median(B.StepMedians);
  R.NewStep = median(M.Step);
  if (R.BaseRuns == 1 && R.NewRuns == 1)
    R.RunsVary = std::max(B.RunsVary, runsVary(New));
  checkSites();
  if (R.SameDevice && Limits.checks(CheckRule::Slowdown))
    checkStep();
  R.Passed = R.Failures.empty() && (R.Doubtful.empty() || !Limits.Strict);
  return std::move(R);
}

} // namespace

std::vector<trace::Site> Baseline::table() const {
  std::vector<trace::Site> Result;
  for (const BaselineSite &S : Sites)
    Result.push_back(S.Place);
  return Result;
}

llvm::Error analysis::checkUsable(const RunSummary &S) {
  if (!S.R.WaitsKnown)
    return llvm::createStringError(
        S.Path + " has no GPU work, so its waits are unknown; record it with "
                 "'autoprof run --mode=full'");
  if (!S.R.InSteps)
    return llvm::createStringError(S.Path +
                                   " has no steps; select them with --step");
  const size_t Steps = S.R.Steps.times().size();
  if (Steps < MinSteps)
    return llvm::createStringError(
        S.Path + " has " + llvm::Twine(Steps) +
        (Steps == 1 ? " step" : " steps") +
        " after the warm-up, which is too few; record at least " +
        llvm::Twine(MinSteps));
  return llvm::Error::success();
}

Baseline analysis::makeBaseline(const std::vector<RunSummary> &All) {
  const RunSummary &First = All[0];
  const Measured M(All, DiffPlaces({First}, All));
  Baseline B;
  B.Device = devicesOf(First);
  B.Source = First.R.Steps.Source;
  B.StepSite = First.R.Steps.Site;
  B.FromGpu = First.R.Steps.FromGpu;
  B.StepMedians = M.Step;
  B.RunsVary = runsVary(All);
  // The waits, and the other sites of their functions and of the steps'
  // function.
  std::set<std::pair<std::string, std::string>> Functions;
  std::set<std::pair<std::string, std::string>> Waiting;
  for (const auto &[Key, C] : M.Costs) {
    B.Sites.push_back({C.Place, C.Call, C.Wait, C.Exposed});
    Waiting.emplace(C.Place.key(), C.Call);
    Functions.insert({C.Place.File, C.Place.Function});
  }
  for (const trace::Site &S : First.Table)
    if (S.Id && S.Id == B.StepSite)
      Functions.insert({S.File, S.Function});
  for (const trace::Site &S : First.Table)
    if (!S.isUserRange() && !S.File.empty() &&
        Functions.count({S.File, S.Function}) &&
        Waiting.emplace(S.key(), S.Callee).second)
      B.Sites.push_back({S, S.Callee, {}, {}});
  for (BaselineSite &S : B.Sites)
    S.Place.Frames.clear();
  llvm::sort(B.Sites, areInOrder);
  return B;
}

llvm::Expected<CheckResult> analysis::check(const Baseline &B,
                                            const std::vector<RunSummary> &All,
                                            const CheckLimits &Limits,
                                            const RunSpread &Noise,
                                            bool AreSame) {
  return Checker(B, All, Limits, Noise, AreSame).run();
}

static const trace::Site *stepPlace(const Baseline &B) {
  for (const BaselineSite &S : B.Sites)
    if (S.Place.Id && S.Place.Id == B.StepSite)
      return &S.Place;
  return nullptr;
}

std::string analysis::stepName(const Baseline &B) {
  if (const trace::Site *S = stepPlace(B))
    return S->Kind == "loop"
               ? (llvm::Twine("loop:") + llvm::sys::path::filename(S->File) +
                  ":" + llvm::Twine(S->Line))
                     .str()
               : "function:" + S->Function;
  llvm::StringRef Range = B.Source; // "NVTX range NAME of DOMAIN"
  return Range.consume_front("NVTX range ") && !Range.contains(" of ")
             ? ("range:" + Range).str()
             : "";
}

bool analysis::isStepOf(const Baseline &B, llvm::StringRef Name) {
  const StepName Asked(Name);
  if (const trace::Site *S = stepPlace(B))
    return Asked.meansLoop(S->File, S->Line) ||
           (S->Kind != "loop" && Asked.meansFunction(S->Function));
  llvm::StringRef Range = B.Source;
  return Name == B.Source ||
         (Asked.Ranges && Range.consume_front("NVTX range ") &&
          (Range == Asked.Text ||
           Range.starts_with((Asked.Text + " of ").str())));
}

uint64_t analysis::stepSiteIn(const Baseline &B, const trace::Timeline &T) {
  const std::vector<trace::Site> Table = B.table();
  const std::vector<Match> Matches = matchSites(Table, T.Sites);
  for (uint32_t I = 0; I < Matches.size(); ++I)
    if (B.StepSite && Matches[I].Base != None &&
        Table[Matches[I].Base].Id == B.StepSite)
      return T.Sites[I].Id;
  // No range's: that of what repeats, which has no site.
  return llvm::none_of(Table,
                       [&](const trace::Site &S) { return S.Id == B.StepSite; })
             ? B.StepSite
             : 0;
}
