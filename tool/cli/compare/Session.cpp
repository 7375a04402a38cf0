// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/compare/Session.h"

#include "report/Format.h"
#include "trace/Load.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <limits>
#include <unistd.h>

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using namespace autoprof::analysis;
namespace fs = llvm::sys::fs;

char SideFailure::ID = 0;

namespace {

const char *nameOf(bool IsNew) { return IsNew ? "new" : "base"; }

/// Joins names and values of both; the second's come first.
Variables joined(Variables A, const Variables &B) {
  for (const auto &[Name, Value] : B)
    A[Name] = Value;
  return A;
}

} // namespace

Session::Session(SessionOptions Given, Trials &T)
    : Runner(Given.Folder, Given.TimeLimit), Options(std::move(Given)), T(T),
      Watch(allowedCpus()) {
  T.Gpu = Watch.gpu();
  if (const CpuList Cpus = allowedCpus();
      long(Cpus.size()) < sysconf(_SC_NPROCESSORS_ONLN))
    for (unsigned C : Cpus)
      T.Cpus.push_back(std::to_string(C));
}

/// Runs one side, under `autoprof run` with the options of `Recorder` unless
/// there are none: then `Added` are further variables of the program.
llvm::Expected<RunOutcome>
Session::start(bool IsNew, const std::vector<std::string> &Recorder,
               const Variables &Added) {
  const TrialSide &Side = side(IsNew);
  RunRequest R;
  R.Environment = joined(Side.Environment, Added);
  R.IsOwn = !Recorder.empty();
  if (R.IsOwn) {
    R.Arguments = {"autoprof", "run"};
    llvm::append_range(R.Arguments, Recorder);
    R.Arguments.push_back("--");
  }
  llvm::append_range(R.Arguments, Side.Command);
  llvm::Expected<RunOutcome> Outcome = runProgram(R);
  if (!Outcome)
    return llvm::make_error<SideFailure>(IsNew,
                                         llvm::toString(Outcome.takeError()));
  if (Outcome->Code && !Options.IgnoreFailure) {
    std::string Message = fmt::format(
        "{} failed: '{}' ended with exit code {} (--ignore-failure compares it "
        "all the same)",
        nameOf(IsNew), llvm::join(Side.Command, " "), Outcome->Code);
    for (const std::string &Printed : lastLines(5))
      Message += "\n  " + Printed;
    return llvm::make_error<SideFailure>(IsNew, std::move(Message));
  }
  side(IsNew).ExitCode = Outcome->Code;
  if (!Options.CompareOutput)
    return Outcome;
  std::string Hash = hashOf(file("stdout"));
  if (Hash.empty())
    return llvm::createStringError("cannot read what '" + Side.Command[0] +
                                   "' printed");
  if (!llvm::is_contained(side(IsNew).Outputs, Hash))
    side(IsNew).Outputs.push_back(std::move(Hash));
  return Outcome;
}

llvm::Error Session::recordSide(bool IsNew) {
  Line.show(std::string("Recording ") + nameOf(IsNew));
  TrialSide &Side = side(IsNew);
  const std::string Name = std::string(nameOf(IsNew)) + ".pftrace",
                    Path = file(Name);
  fs::remove(Path);
  std::vector<std::string> Recorder = {"--mode=full", "--output=" + Path};
  if (!Options.RecordSteps.empty()) {
    Recorder.push_back("--steps=" + Options.RecordSteps);
    if (!Options.Step.Name.empty())
      Recorder.push_back("--range=" + Options.Step.Name);
  }
  llvm::Expected<RunOutcome> Outcome = start(IsNew, Recorder, {});
  if (!Outcome)
    return Outcome.takeError();
  if (!fs::exists(Path))
    return llvm::Error::success(); // No CUDA and no probes.
  Line.clear();
  auto Read = analyseFile(Path, Options.Step, nullptr);
  if (!Read)
    return llvm::make_error<SideFailure>(IsNew,
                                         llvm::toString(Read.takeError()));
  Analysed &One = **Read;
  if (IsNew && Recordings[0] && Options.Step.Name.empty())
    alignSteps(Recordings[0]->R.Steps.Site, One.T, One.R);
  Side.Recording = Name;
  Side.Step = One.R.Steps.Name;
  Side.Steps = One.T.Recorded.StepsSeen.value_or(One.R.Steps.List.size());
  Recordings[IsNew] = std::move(*Read);
  return llvm::Error::success();
}

llvm::Error Session::record() {
  for (bool IsNew : {false, true}) {
    if ((IsNew && T.SelfTest) || (!IsNew && T.Stored))
      continue;
    if (llvm::Error E = recordSide(IsNew))
      return E;
  }
  if (T.SelfTest) {
    T.New.Recording = T.Base.Recording;
    T.New.Step = T.Base.Step;
    T.New.Steps = T.Base.Steps;
  }
  constexpr uint64_t Fewest = 4;
  auto HasSteps = [](const TrialSide &S) {
    return !S.Step.empty() && S.Steps >= Fewest;
  };
  if (Options.WallOnly || (!T.Stored && !HasSteps(T.Base)) || !HasSteps(T.New))
    T.Metric = TrialMetric::Wall;
  if (T.Metric == TrialMetric::Wall && !Options.WallOnly) {
    Line.clear();
    llvm::errs() << "autoprof: found no steps on both sides, so whole runs are "
                    "timed; --step=NAME names the step\n";
  }
  // Each part is long enough that one drain of the queue is lost in it.
  constexpr uint64_t StepsInPart = 50, MostParts = 10;
  for (bool IsNew : {false, true}) {
    const uint64_t Steps = side(IsNew).Steps,
                   From = std::max<uint64_t>(1, Steps / 10);
    if (T.Metric == TrialMetric::Wall || Steps < Fewest)
      continue;
    const uint64_t Count =
        std::clamp<uint64_t>((Steps - From) / StepsInPart, 1, MostParts);
    const uint64_t Length = (Steps - From) / Count;
    // One step is between two parts, so that one ends before the next begins.
    for (uint64_t I = 0; I < Count; ++I)
      Parts[IsNew].push_back(
          {From + I * Length, From + (I + 1) * Length - (I + 1 < Count)});
  }
  return llvm::Error::success();
}

/// The times of the parts of an unrecorded run.
llvm::Error Session::readParts(const std::string &Path, bool IsNew,
                               Trial &Run) {
  llvm::Expected<trace::Timeline> Trace = trace::load(Path);
  if (!Trace)
    return Trace.takeError();
  const std::vector<trace::Window> &Seen = Trace->Recorded.List;
  for (size_t I = 0; I < std::min(Seen.size(), Parts[IsNew].size()); ++I) {
    const auto Steps = int64_t(Parts[IsNew][I].To - Parts[IsNew][I].From);
    if (Seen[I].End != std::numeric_limits<int64_t>::max())
      Run.Parts.push_back((Seen[I].End - Seen[I].Start) / Steps);
  }
  if (Run.Parts.empty())
    return llvm::make_error<SideFailure>(
        IsNew, fmt::format("{} made {} steps of {} in this run, and {} in the "
                           "first one: runs of a different length cannot be "
                           "compared by their steps; use --metric=wall",
                           nameOf(IsNew), Trace->Recorded.StepsSeen.value_or(0),
                           side(IsNew).Step, side(IsNew).Steps));
  Run.Time = median(Run.Parts);
  Run.LaunchCost = Trace->Recorded.LaunchCost;
  return llvm::Error::success();
}

/// Without `autoprof run`, so that what the kernel counts is the program's.
llvm::Expected<Variables> Session::stepTimer(bool IsNew,
                                             const std::string &Path) {
  llvm::Expected<std::string> Runtime = findRuntime();
  if (!Runtime)
    return Runtime.takeError();
  llvm::SmallString<256> Absolute(Path);
  if (std::error_code E = fs::make_absolute(Absolute))
    return llvm::createStringError("cannot find the current folder: " +
                                   E.message());
  Variables Set =
      recorderVariables(*Runtime, Absolute, "steps", side(IsNew).Environment);
  for (const Part &P : Parts[IsNew])
    Set["AUTOPROF_STEPS"] += fmt::format(
        "{}{}:{}", Set["AUTOPROF_STEPS"].empty() ? "" : ",", P.From, P.To);
  Set["AUTOPROF_RANGE"] = side(IsNew).Step;
  return Set;
}

llvm::Expected<Trial> Session::runOnce(bool IsNew) {
  const std::string Path = file("steps.pftrace");
  Variables Added;
  if (T.Metric == TrialMetric::Step) {
    fs::remove(Path);
    llvm::Expected<Variables> Timer = stepTimer(IsNew, Path);
    if (!Timer)
      return Timer.takeError();
    Added = std::move(*Timer);
  }
  Watch.start();
  llvm::Expected<RunOutcome> Outcome = start(IsNew, {}, Added);
  const ClocksSeen Seen = Watch.stop();
  if (!Outcome)
    return Outcome.takeError();
  Trial Run;
  Run.IsNew = IsNew;
  Run.Wall = Run.Time = Outcome->Wall;
  Run.Cpu = Outcome->Cpu;
  Run.Preempted = Outcome->Preempted;
  Run.GpuMHz = Seen.GpuMHz;
  Run.CpuMHz = Seen.CpuMHz;
  if (T.Metric == TrialMetric::Step) {
    if (llvm::Error E = readParts(Path, IsNew, Run))
      return std::move(E);
    fs::remove(Path);
  }
  return Run;
}

void Session::showProgress(const StoppingPlan &Plan) {
  if (!Line.isPossible())
    return;
  std::string Text =
      fmt::format("[{}/{}] ", T.Runs.size(), (T.Stored ? 1 : 2) * T.MostRuns);
  if (!T.times(false).empty())
    Text += "base " + duration(median(T.times(false)));
  if (!T.times(true).empty())
    Text += ", new " + duration(median(T.times(true)));
  if (std::optional<TrialsJudged> J = judge(T, Plan)) {
    Text += ": " + signedPercent(J->Change);
    if (J->Range)
      Text += fmt::format(" ({} to {})", signedPercent(J->Range->Low),
                          signedPercent(J->Range->High));
  }
  Line.show(std::move(Text));
}

llvm::Error Session::measure() {
  const StoppingPlan Plan(T.isFixed() ? std::vector<Look>() : T.looks());
  const bool Order[] = {false, true, true, false};
  size_t Next = 0;
  const size_t Limit = (T.Stored ? 1 : 2) * T.MostRuns;
  for (size_t Made = 0; Made < Limit && !isOver(); ++Made) {
    const bool IsNew = T.Stored || Order[Next++ % 4];
    llvm::Expected<Trial> Run = runOnce(IsNew);
    // Its program was interrupted, too, even if it exited cleanly.
    if (interrupted()) {
      llvm::consumeError(Run.takeError());
      break;
    }
    if (!Run) {
      Line.clear();
      return Run.takeError();
    }
    T.Runs.push_back(std::move(*Run));
    showProgress(Plan);
    const bool BlockEnds = T.Stored ? Made % 2 == 1 : Made % 4 == 3;
    if (!BlockEnds || T.isFixed() || T.times(true).size() < T.LeastRuns)
      continue;
    std::optional<TrialsJudged> J = judge(T, Plan);
    if (J && (J->Differs || J->ShowsNone))
      break;
  }
  Line.clear();
  removePrinted();
  return llvm::Error::success();
}
