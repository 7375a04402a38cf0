// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/compare/Experimenter.h"

#include "cli/recorder/RecorderVariables.h"
#include "report/Format.h"
#include "runtime/protocol/Experiment.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <cstring>

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using namespace autoprof::analysis;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Of the reports of all processes of a run.
constexpr llvm::StringLiteral ReportName = "report";

Experimenter::Experimenter(ExperimenterOptions Given, ExperimentSeries &S)
    : Runner(Given.Folder, Given.TimeLimit), Options(std::move(Given)),
      Series(S) {}

llvm::Error Experimenter::findLibrary() {
  llvm::Expected<std::string> Runtime = findRuntime();
  if (!Runtime)
    return Runtime.takeError();
  llvm::SmallString<256> Beside(path::parent_path(*Runtime));
  path::append(Beside, "libautoprof-try.so");
  if (!fs::exists(Beside))
    return llvm::createStringError("there is no '" + Beside +
                                   "'; build or install autoprof as a whole");
  if (Beside.str().find_first_of(" :") != StringRef::npos)
    return llvm::createStringError(
        "the dynamic loader cannot preload '" + Beside +
        "', whose name has a blank or a colon; install autoprof elsewhere");
  Library = Beside.str().str();
  return llvm::Error::success();
}

llvm::Error Experimenter::record() {
  if (llvm::Error E = findLibrary())
    return E;
  Line.show("Recording the program");
  const std::string Trace = file("base.pftrace");
  fs::remove(Trace);
  RunRequest R;
  R.IsOwn = true;
  // All steps, so that launches can be counted.
  R.Arguments = {"autoprof",          "run", "--stacks", "--unrecorded=0",
                 "--output=" + Trace, "--"};
  llvm::append_range(R.Arguments, Series.Command);
  llvm::Expected<RunOutcome> Outcome = runProgram(R);
  Line.clear();
  if (!Outcome)
    return Outcome.takeError();
  if (interrupted())
    return llvm::createStringError("interrupted before there were any runs");
  if (Outcome->Code)
    return llvm::createStringError(fmt::format(
        "the program failed with exit code {}; what it printed is in {}",
        Outcome->Code, file("stderr")));
  if (!fs::exists(Trace))
    return llvm::createStringError(
        "the program did not use the GPU, so there is nothing to try (autoprof "
        "doctor tells whether this machine has one)");
  auto Read = analyseFile(Trace, Options.Step, nullptr);
  if (!Read)
    return Read.takeError();
  Recording = std::move(*Read);
  Series.Step = Recording->R.Steps.Name;
  if (!Recording->T.Devices.empty())
    Series.Gpu = Recording->T.Devices.front().Name;
  Parts = timedParts(Recording->T, Recording->R.Steps);
  const size_t Steps = Recording->R.Steps.List.size();
  if (Parts.empty())
    return llvm::createStringError(
        Steps ? fmt::format("the program makes {} steps of {}, and try needs "
                            "{} that launch kernels; let it run longer, or "
                            "name another step with --step",
                            Steps, Series.Step, FewestSteps)
              : "found no steps, whose time could be compared; --step=NAME "
                "names the step (autoprof report shows what there is)");
  return limitProposals();
}

/// Proposes what to try, and prepares the comparison of each.
llvm::Error Experimenter::limitProposals() {
  Series.All = proposeExperiments(Recording->T, Recording->R);
  size_t Taken = 0;
  for (Experiment &E : Series.All) {
    const auto &Rows = Recording->R.Sites;
    const bool IsAsked =
        Options.Site.empty() || llvm::any_of(E.Rows, [&](uint32_t Row) {
          return StringRef(report::place(Recording->T, Rows[Row].Site))
              .contains(Options.Site);
        });
    // Two experiments may be about one place.
    if (E.Why == NoResult::None && IsAsked && E.How != Switched::NotRead)
      ++Taken;
    if (!IsAsked || (E.Why == NoResult::None && Taken > Options.MostChanges))
      E.Why = NoResult::NotAsked;
  }
  if (!Options.Site.empty() && !Taken)
    return llvm::createStringError(
        "no place that waits and can be changed has '" + Options.Site +
        "' in its name; without --site, all are tried");
  return llvm::Error::success();
}

/// Of what the program printed, and of the files it was to write.
std::string Experimenter::hashOutput() const {
  std::string Hashes = hashOf(file("stdout"));
  for (const std::string &Name : Options.Files)
    Hashes += " " + hashOf(Name);
  return Hashes;
}

/// Reads what the run's process with the most launches reported, and removes
/// the files of all.
void Experimenter::readReports(Run &R) {
  runtime::ExperimentReport Best{};
  std::error_code Error;
  for (fs::directory_iterator I(Options.Folder, Error), End; I != End && !Error;
       I.increment(Error)) {
    if (!path::filename(I->path()).starts_with((ReportName + ".").str()))
      continue;
    auto File = llvm::MemoryBuffer::getFile(I->path(), /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false,
                                            /*IsVolatile=*/true);
    runtime::ExperimentReport One{};
    if (File && (*File)->getBufferSize() == sizeof One)
      std::memcpy(&One, (*File)->getBufferStart(), sizeof One);
    if (One.Kind == runtime::ExperimentReport::Valid &&
        One.Launches >= Best.Launches)
      Best = One;
    fs::remove(I->path());
  }
  R.Launches = Best.Launches;
  for (uint64_t Count : Best.Changed)
    R.Changed += Count;
  for (size_t I = 0; I < Parts.size() && Best.Parts[I] > 0; ++I)
    R.Parts.push_back(Best.Parts[I] / int64_t(Parts[I].Steps));
}

llvm::Expected<Experimenter::Run>
Experimenter::runOnce(const std::string &Switches, bool InParts) {
  RunRequest Request;
  Request.Arguments = Series.Command;
  llvm::SmallString<256> Report(file(ReportName));
  if (std::error_code E = fs::make_absolute(Report))
    return llvm::createStringError("cannot find the current folder: " +
                                   E.message());
  const char *Others = std::getenv("LD_PRELOAD");
  std::string Bounds;
  for (const LaunchPart &P : Parts)
    Bounds += fmt::format("{}{}:{}", Bounds.empty() ? "" : ",", P.From, P.To);
  Request.Environment = {
      {"LD_PRELOAD", Others ? Library + ":" + Others : Library},
      {runtime::ExperimentVariable, Switches},
      {runtime::ExperimentPartsVariable, InParts ? Bounds : ""},
      {runtime::ExperimentOutputVariable, Report.str().str()}};
  constexpr int64_t LeastLimit = 20'000'000'000, Patience = 5;
  if (!Switches.empty())
    Request.Limit = std::max(LeastLimit, Patience * LongestBase);
  llvm::Expected<RunOutcome> Outcome = runProgram(Request);
  if (!Outcome)
    return Outcome.takeError();
  ++Series.Runs;
  Run R;
  R.Outcome = *Outcome;
  R.Output = hashOutput();
  if (const auto Last = lastLines(1); R.Outcome.Code && !Last.empty())
    R.Message = Last[0];
  readReports(R);
  return R;
}

/// Shows what the program prints, and whether its launches can be counted.
llvm::Error Experimenter::runBase() {
  for (unsigned I = 0; I < 2; ++I) {
    Line.show("Running the program as it is");
    llvm::Expected<Run> R = runOnce("", /*InParts=*/false);
    if (!R)
      return R.takeError();
    if (interrupted())
      break;
    if (R->Outcome.Code)
      return llvm::createStringError(fmt::format(
          "the program failed with exit code {} when it was run again; what it "
          "printed is in {}",
          R->Outcome.Code, file("stderr")));
    if (R->Launches < Parts.back().To)
      return llvm::createStringError(fmt::format(
          "the program made {} launches, and {} when it was recorded: its "
          "steps can only be timed if it does the same in each run",
          R->Launches, Parts.back().To));
    BaseLaunches = R->Launches;
    LongestBase = std::max(LongestBase, R->Outcome.Wall);
    if (!llvm::is_contained(BaseOutputs, R->Output))
      BaseOutputs.push_back(R->Output);
  }
  return llvm::Error::success();
}

/// Shows what the change does to the program.
llvm::Error Experimenter::runWhole(Experiment &E) {
  llvm::Expected<Run> R = runOnce(E.Switches, /*InParts=*/false);
  if (!R)
    return R.takeError();
  E.ExitCode = R->Outcome.Code;
  E.Message = R->Message;
  E.Changed = R->Changed;
  if (BaseOutputs.size() > 1)
    E.Output = OutputsAre::Varying;
  else
    E.Output = R->Output == BaseOutputs.front() ? OutputsAre::Equal
                                                : OutputsAre::Different;
  if (R->Outcome.Killed)
    E.Why = NoResult::Hung;
  else if (R->Outcome.Code)
    E.Why = NoResult::Failed;
  else if (E.Switches != "pool" && !E.Changed)
    E.Why = NoResult::Unchanged;
  else if (100 * std::max(R->Launches, BaseLaunches) >
           101 * std::min(R->Launches, BaseLaunches))
    E.Why = NoResult::Shorter; // Its parts would not be as many steps.
  return llvm::Error::success();
}

llvm::Error Experimenter::runInParts(Experiment &E) {
  llvm::Expected<Run> R = runOnce(E.Switches, /*InParts=*/true);
  if (!R)
    return R.takeError();
  if (interrupted())
    return llvm::Error::success();
  if (R->Outcome.Killed)
    E.Why = NoResult::Hung;
  else if (R->Outcome.Code)
    E.Why = NoResult::Failed;
  else if (R->Parts.size() < Parts.size())
    E.Why = NoResult::Shorter;
  if (E.Why != NoResult::None) {
    E.ExitCode = R->Outcome.Code;
    E.Message = R->Message;
    return llvm::Error::success();
  }
  static_assert(analysis::MostParts <= runtime::MostParts);
  E.add(R->Parts, [](unsigned Part) { return runtime::isChangedPart(Part); });
  Series.Base.push_back(E.Usual.back());
  return llvm::Error::success();
}

/// Runs all of them in turn, each until its answer is clear.
llvm::Error Experimenter::race(std::vector<Experiment *> Racing) {
  // Over the whole table, with both races of all together, a change is claimed
  // where there is none in less than one table of twenty.
  constexpr double TableError = 0.05;
  std::vector<Look> Looks;
  for (size_t I = 1; I <= Options.MostRuns; ++I)
    Looks.push_back({I * Parts.size() / 2, I * Parts.size() / 2});
  const size_t All = Racing.size();
  const StoppingPlan Plan(
      Looks, std::min(StoppingPlan::Error, TableError / double(All + 2)));
  for (size_t Round = 0; Round < Options.MostRuns; ++Round) {
    for (Experiment *E : Racing) {
      Line.show(fmt::format("Round {} of at most {}: {} of {} changes are "
                            "undecided, {} runs",
                            Round + 1, Options.MostRuns, Racing.size(), All,
                            Series.Runs));
      if (isOver())
        break;
      if (llvm::Error Problem = Round ? llvm::Error::success() : runWhole(*E))
        return Problem;
      if (E->Why == NoResult::None && !isOver())
        if (llvm::Error Problem = runInParts(*E))
          return Problem;
      if (E->Why == NoResult::None)
        E->judgeParts(Plan);
    }
    llvm::erase_if(Racing, [](const Experiment *E) {
      return E->Why != NoResult::None ||
             (E->Judged && (E->Judged->Differs || E->Judged->ShowsNone));
    });
    if (isOver() || Racing.empty())
      break;
  }
  for (Experiment *E : Racing)
    if (!E->Judged)
      E->Why = NoResult::NotRun;
  Line.clear();
  return llvm::Error::success();
}

llvm::Error Experimenter::tryTogether() {
  Experiment Mild, Strong;
  size_t Joined = 0;
  for (const Experiment &E : Series.All) {
    const bool IsPossible =
        E.Why == NoResult::None || E.Why == NoResult::Drained;
    if (!IsPossible || E.How == Switched::NotRead ||
        (E.Judged && E.Judged->Differs && E.Judged->Change > 0))
      continue;
    const char *Between = Joined++ ? "\n" : "";
    Mild.Switches += Between + E.Switches;
    Strong.Switches += Between + E.Strongest;
  }
  if (Joined < 2 || isOver())
    return llvm::Error::success();
  Mild.How = Switched::Late;
  Strong.How = Switched::NotRead;
  Mild.Parts.Precision = Strong.Parts.Precision = Options.Precision;
  const bool IsOne = llvm::none_of(Series.All, [](const Experiment &E) {
    return E.How == Switched::NotRead;
  });
  Series.Together.push_back(std::move(Mild));
  if (!IsOne)
    Series.Together.push_back(std::move(Strong));
  std::vector<Experiment *> Racing;
  for (Experiment &E : Series.Together)
    Racing.push_back(&E);
  return race(Racing);
}

llvm::Error Experimenter::measure() {
  if (llvm::Error E = runBase())
    return E;
  std::vector<Experiment *> Racing;
  for (Experiment &E : Series.All) {
    E.Parts.Precision = Options.Precision;
    if (E.Why == NoResult::None)
      Racing.push_back(&E);
  }
  if (llvm::Error E = race(Racing))
    return E;
  if (llvm::Error E = tryTogether())
    return E;
  Series.Time = passed();
  if (const auto &In = Recording->R.InSteps;
      In && In->Count && !Series.Base.empty())
    Series.RecorderFactor = double(In->Gpu.End - In->Gpu.Start) /
                            double(In->Count) / double(median(Series.Base));
  removePrinted();
  return llvm::Error::success();
}
