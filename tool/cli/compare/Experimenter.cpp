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

/// Of the program as it is, to see whether it prints the same.
constexpr unsigned BaseRuns = 2;

static std::string switchOf(const Experiment &E, uint64_t Late) {
  if (E.How == Switched::Narrowed)
    Late = runtime::NarrowedWait;
  return std::to_string(Late) + " " + E.Where;
}

Experimenter::Experimenter(ExperimenterOptions Given, ExperimentSeries &S)
    : Runner(Given.Folder, Given.TimeLimit), Options(std::move(Given)),
      Series(S) {}

llvm::Error Experimenter::findLibrary() {
  llvm::Expected<std::string> Runtime = findRuntime();
  if (!Runtime)
    return Runtime.takeError();
  Library = inFolder(path::parent_path(*Runtime), "libautoprof-try.so");
  if (!fs::exists(Library))
    return llvm::createStringError("there is no '" + Library +
                                   "'; build or install autoprof as a whole");
  if (Library.find_first_of(" :") != std::string::npos)
    return llvm::createStringError(
        "the dynamic loader cannot preload '" + Library +
        "', whose name has a blank or a colon; install autoprof elsewhere");
  return llvm::Error::success();
}

llvm::Error Experimenter::record() {
  if (llvm::Error E = findLibrary())
    return E;
  if (const char *Value = std::getenv("CUDA_LAUNCH_BLOCKING");
      Value && *Value && StringRef(Value) != "0")
    return llvm::createStringError(
        "CUDA_LAUNCH_BLOCKING is set, so each launch waits for the GPU, and "
        "other waits cost nothing; unset it first");
  Line.show("Recording the program");
  const std::string Trace = file("base.pftrace");
  fs::remove(Trace);
  RunRequest R;
  R.IsOwn = true;
  R.Arguments = {"autoprof", "run", "--stacks", "--output=" + Trace, "--"};
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
          return StringRef(place(Recording->T, Rows[Row].Site))
              .contains(Options.Site);
        });
    // Two experiments may be about one place.
    if (E.Why == NoResult::None && IsAsked && !isVariant(E.How))
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
llvm::Expected<std::string> Experimenter::hashOutput() const {
  std::string Hashes = hashOf(file("stdout"));
  for (const std::string &Name : Options.Files) {
    const std::string Hash = hashOf(Name);
    if (Hash.empty())
      return llvm::createStringError("cannot read '" + Name +
                                     "' after a run; --compare-output names a "
                                     "file that the program writes");
    Hashes += " " + Hash;
  }
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
  R.Changed = Best.Changed;
  for (size_t I = 0; I < Parts.size() && Best.Parts[I] > 0; ++I)
    R.Parts.push_back(Best.Parts[I] / int64_t(Parts[I].Steps));
}

/// Of runtime::ExperimentPartsVariable.
std::string Experimenter::boundsOf(bool IsOdd) const {
  static_assert(analysis::MostParts <= runtime::MostParts);
  std::string Bounds;
  for (size_t I = 0; I < Parts.size(); ++I)
    Bounds += fmt::format("{}{}:{}{}", I ? "," : "", Parts[I].From, Parts[I].To,
                          isChangedPart(I, IsOdd) ? "+" : "");
  return Bounds;
}

llvm::Expected<Experimenter::Run>
Experimenter::runOnce(const std::string &Switches, const std::string &Bounds) {
  Run R;
  readReports(R); // Of a series that was killed: removes them.
  RunRequest Request;
  Request.Arguments = Series.Command;
  llvm::SmallString<256> Report(file(ReportName));
  if (std::error_code E = fs::make_absolute(Report))
    return llvm::createStringError("cannot find the current folder: " +
                                   E.message());
  const char *Others = std::getenv("LD_PRELOAD");
  Request.Environment = {
      {"LD_PRELOAD", Others ? Library + ":" + Others : Library},
      {runtime::ExperimentVariable, Switches},
      {runtime::ExperimentPartsVariable, Bounds},
      {runtime::ExperimentOutputVariable, Report.str().str()}};
  constexpr int64_t LeastLimit = 20'000'000'000, Patience = 5;
  if (!Switches.empty())
    Request.Limit = std::max(LeastLimit, Patience * LongestBase);
  llvm::Expected<RunOutcome> Outcome = runProgram(Request);
  if (!Outcome)
    return Outcome.takeError();
  ++Series.Runs;
  R = Run();
  R.Outcome = *Outcome;
  if (const auto Last = lastLines(1); R.Outcome.Code && !Last.empty())
    R.Message = Last[0];
  readReports(R);
  return R;
}

/// Shows what the program prints, and whether its launches can be counted.
llvm::Error Experimenter::runBase() {
  for (unsigned I = 0; I < BaseRuns; ++I) {
    Line.show("Running the program as it is");
    llvm::Expected<Run> R = runOnce("");
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
          "{} launches of the program were seen, and {} when it was recorded: "
          "it must do the same in each run, and find the driver as the CUDA "
          "runtime does, not by -lcuda",
          R->Launches, Parts.back().To));
    BaseLaunches = R->Launches;
    LongestBase = std::max(LongestBase, R->Outcome.Wall);
    llvm::Expected<std::string> Output = hashOutput();
    if (!Output)
      return Output.takeError();
    if (!llvm::is_contained(BaseOutputs, *Output))
      BaseOutputs.push_back(*Output);
  }
  return llvm::Error::success();
}

/// Shows what the change does to the program.
llvm::Error Experimenter::runWhole(const Racer &One) {
  llvm::Expected<Run> R = runOnce(One.Switches);
  if (!R)
    return R.takeError();
  if (interrupted())
    return llvm::Error::success();
  Experiment &E = *One.E;
  E.ExitCode = R->Outcome.Code;
  E.Message = R->Message;
  E.Changed = R->Changed;
  llvm::Expected<std::string> Output = hashOutput();
  if (BaseOutputs.size() > 1)
    E.Output = OutputsAre::Varying;
  else
    E.Output = Output && *Output == BaseOutputs.front() ? OutputsAre::Equal
                                                        : OutputsAre::Different;
  llvm::consumeError(Output.takeError());
  if (R->Outcome.Killed)
    E.Why = NoResult::Hung;
  else if (R->Outcome.Code)
    E.Why = NoResult::Failed;
  else if (E.How != Switched::PoolKept && !E.Changed)
    E.Why = NoResult::Unchanged;
  else if (100 * std::max(R->Launches, BaseLaunches) >
           101 * std::min(R->Launches, BaseLaunches))
    E.Why = NoResult::Shorter; // Its parts would not be as many steps.
  return llvm::Error::success();
}

llvm::Error Experimenter::runInParts(const Racer &One, bool IsOdd) {
  llvm::Expected<Run> R = runOnce(One.Switches, boundsOf(IsOdd));
  if (!R)
    return R.takeError();
  if (interrupted())
    return llvm::Error::success();
  Experiment &E = *One.E;
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
  E.add(R->Parts, IsOdd);
  Series.Base.push_back(E.Usual.back());
  return llvm::Error::success();
}

/// Runs all of them in turn, each until its answer is clear.
llvm::Error Experimenter::race(std::vector<Racer> Racing) {
  // Over the whole table, with both races of all together, a change is claimed
  // where there is none in less than one table of twenty.
  constexpr double TableError = 0.05;
  std::vector<Look> Looks; // After two processes each: see isChangedPart().
  for (size_t I = 2; I <= Options.MostRuns; I += 2)
    Looks.push_back({I * Parts.size() / 2, I * Parts.size() / 2});
  const size_t All = Racing.size();
  const StoppingPlan Plan(
      Looks, std::min(StoppingPlan::Error, TableError / double(All + 2)));
  for (size_t Round = 0; Round < Options.MostRuns; ++Round) {
    for (const Racer &R : Racing) {
      Line.show(fmt::format("Round {} of at most {}: {} of {} changes are "
                            "undecided, {} runs",
                            Round + 1, Options.MostRuns, Racing.size(), All,
                            Series.Runs));
      if (isOver())
        break;
      if (llvm::Error Problem = Round ? llvm::Error::success() : runWhole(R))
        return Problem;
      if (R.E->Why == NoResult::None && !isOver())
        if (llvm::Error Problem = runInParts(R, Round % 2))
          return Problem;
      if (R.E->Why == NoResult::None)
        R.E->judgeParts(Plan);
    }
    llvm::erase_if(Racing, [](const Racer &R) {
      const auto &Judged = R.E->Judged;
      return R.E->Why != NoResult::None ||
             (Judged && (Judged->Differs || Judged->ShowsNone));
    });
    if (isOver() || Racing.empty())
      break;
  }
  for (const Racer &R : Racing)
    if (!R.E->Judged)
      R.E->Why = NoResult::NotRun;
  Line.clear();
  return llvm::Error::success();
}

llvm::Error Experimenter::tryTogether() {
  std::string Mild, Strong;
  size_t Joined = 0;
  bool HasCopies = false;
  for (const Experiment &E : Series.All) {
    const bool IsPossible =
        E.Why == NoResult::None || E.Why == NoResult::Drained;
    if (!IsPossible || isVariant(E.How) ||
        (E.Judged && E.Judged->Differs && E.Judged->Change > 0) ||
        Joined == runtime::MostPlaces)
      continue;
    const char *Between = Joined++ ? "\n" : "";
    Mild += Between + switchOf(E, E.Late);
    Strong += Between + switchOf(E, 0);
    HasCopies |= E.How == Switched::Late;
  }
  if (Joined < 2 || isOver())
    return llvm::Error::success();
  Series.Together.resize(HasCopies ? 2 : 1);
  Series.Together[0].How = HasCopies ? Switched::Late : Switched::NotWaiting;
  if (HasCopies)
    Series.Together[1].How = Switched::NotRead;
  std::vector<Racer> Racing;
  for (Experiment &E : Series.Together) {
    E.Parts.Precision = Options.Precision;
    Racing.push_back({&E, Racing.empty() ? Mild : Strong});
  }
  return race(std::move(Racing));
}

llvm::Error Experimenter::measure() {
  if (llvm::Error E = runBase())
    return E;
  // What cannot get as many runs as an answer takes is not begun.
  constexpr int64_t FewestRuns = 3;
  int64_t Affordable =
      Options.TimeLimit ? (*Options.TimeLimit - passed()) /
                              (FewestRuns * std::max<int64_t>(1, LongestBase))
                        : std::numeric_limits<int64_t>::max();
  if (Affordable < 1 && !interrupted())
    return llvm::createStringError(fmt::format(
        "a run takes {}, and each change needs {} after the {} as it is: give "
        "it more --time, or let the program make fewer steps",
        duration(LongestBase), FewestRuns, BaseRuns + 1));
  std::vector<Racer> Racing;
  for (Experiment &E : Series.All) {
    E.Parts.Precision = Options.Precision;
    if (E.Why != NoResult::None)
      continue;
    if (Affordable-- > 0)
      Racing.push_back({&E, switchOf(E, E.Late)});
    else
      E.Why = NoResult::NotRun;
  }
  if (llvm::Error E = race(std::move(Racing)))
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
