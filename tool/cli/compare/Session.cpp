// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/compare/Session.h"

#include "report/Format.h"
#include "support/Launch.h"
#include "trace/Load.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SHA256.h"

#include <fmt/format.h>

#include <csignal>
#include <limits>
#include <unistd.h>

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using namespace autoprof::analysis;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

char SideFailure::ID = 0;

namespace {

volatile sig_atomic_t Interrupted = 0;

void noteInterrupt(int Signal) { Interrupted = Signal; }

const char *nameOf(bool IsNew) { return IsNew ? "new" : "base"; }

/// The last lines of what a program wrote to standard error.
std::string lastLines(const std::string &Path) {
  auto File = llvm::MemoryBuffer::getFile(Path);
  if (!File)
    return "";
  constexpr size_t Limit = 5;
  llvm::SmallVector<StringRef> Lines;
  (*File)->getBuffer().rtrim().split(Lines, '\n');
  std::string Text;
  for (StringRef L : llvm::ArrayRef(Lines).take_back(Limit))
    if (!L.empty())
      Text += ("\n  " + L).str();
  return Text;
}

llvm::Expected<std::string> ownPath() {
  llvm::SmallString<256> Path;
  if (std::error_code E = fs::real_path("/proc/self/exe", Path))
    return llvm::createStringError("cannot find its own file: " + E.message());
  return Path.str().str();
}

/// This process's, with these variables.
std::vector<std::string> environmentWith(const Variables &Added) {
  std::vector<std::string> Result;
  for (char **Entry = environ; *Entry; ++Entry)
    if (!Added.count(StringRef(*Entry).split('=').first.str()))
      Result.push_back(*Entry);
  for (const auto &[Name, Value] : Added)
    Result.push_back(Name + "=" + Value);
  return Result;
}

std::vector<StringRef> refs(const std::vector<std::string> &Texts) {
  return {Texts.begin(), Texts.end()};
}

} // namespace

Session::Session(SessionOptions Given, Trials &T)
    : Options(std::move(Given)), T(T) {
  struct sigaction Note{};
  Note.sa_handler = noteInterrupt;
  Note.sa_flags = SA_RESTART;
  for (int FromTerminal : {SIGINT, SIGQUIT})
    sigaction(FromTerminal, &Note, nullptr);
}

int Session::interrupted() const { return Interrupted; }

std::string Session::file(StringRef Name) const {
  llvm::SmallString<256> Path(Options.Folder);
  llvm::sys::path::append(Path, Name);
  return Path.str().str();
}

/// Runs one side, under `autoprof run` with the options of `Recorder` unless
/// there are none: then `Added` are further variables of the program. Returns
/// the time from its start to its end in ns.
llvm::Expected<int64_t> Session::start(bool IsNew,
                                       const std::vector<std::string> &Recorder,
                                       const Variables &Added) {
  TrialSide &Side = side(IsNew);
  Variables Set = Side.Environment;
  for (const auto &[Name, Value] : Added)
    Set[Name] = Value;
  std::vector<std::string> Arguments;
  if (!Recorder.empty()) {
    Arguments = {"autoprof", "run"};
    llvm::append_range(Arguments, Recorder);
    Arguments.push_back("--");
  }
  llvm::append_range(Arguments, Side.Command);
  llvm::Expected<std::string> Program =
      Recorder.empty() ? findProgram(Side.Command[0]) : ownPath();
  if (!Program)
    return llvm::make_error<SideFailure>(IsNew,
                                         llvm::toString(Program.takeError()));
  const std::vector<std::string> Environment = environmentWith(Set);
  const std::string Output = file("stdout"), Errors = file("stderr");
  const std::optional<StringRef> Redirects[] = {std::nullopt, Output, Errors};
  std::string Problem;
  const auto Began = Clock::now();
  const int Code = llvm::sys::ExecuteAndWait(
      *Program, refs(Arguments), llvm::ArrayRef(refs(Environment)), Redirects,
      /*SecondsToWait=*/0, /*MemoryLimit=*/0, &Problem);
  const int64_t Wall = std::chrono::nanoseconds(Clock::now() - Began).count();
  // -1: it did not start; -2: a signal ended it.
  if (Code == -1 || (Code && !Options.IgnoreFailure))
    return llvm::make_error<SideFailure>(
        IsNew,
        std::string(nameOf(IsNew)) + " failed: '" +
            llvm::join(Side.Command, " ") + "' " +
            (Code < 0 ? "ended: " + Problem
                      : "ended with exit code " + std::to_string(Code)) +
            (Code == -1 ? "" : " (--ignore-failure compares it all the same)") +
            lastLines(Errors));
  Side.ExitCode = Code;
  if (Options.CompareOutput)
    if (llvm::Error E = noteOutput(IsNew))
      return std::move(E);
  return Wall;
}

llvm::Error Session::noteOutput(bool IsNew) {
  auto File = llvm::MemoryBuffer::getFile(file("stdout"));
  if (!File)
    return llvm::createStringError("cannot read what '" +
                                   side(IsNew).Command[0] +
                                   "' printed: " + File.getError().message());
  llvm::SHA256 Hash;
  Hash.update((*File)->getBuffer());
  const std::string Text = llvm::toHex(Hash.final(), /*LowerCase=*/true);
  if (!llvm::is_contained(side(IsNew).Outputs, Text))
    side(IsNew).Outputs.push_back(Text);
  return llvm::Error::success();
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
  llvm::Expected<int64_t> Ran = start(IsNew, Recorder, {});
  if (!Ran)
    return Ran.takeError();
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
  for (bool IsNew : {false, true})
    if (llvm::Error E = recordSide(IsNew))
      return E;
  constexpr uint64_t Fewest = 4;
  auto HasSteps = [](const TrialSide &S) {
    return !S.Step.empty() && S.Steps >= Fewest;
  };
  if (Options.WallOnly || !HasSteps(T.Base) || !HasSteps(T.New))
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
  llvm::Expected<int64_t> Wall = start(IsNew, {}, Added);
  if (!Wall)
    return Wall.takeError();
  Trial Run;
  Run.IsNew = IsNew;
  Run.Time = *Wall;
  if (T.Metric == TrialMetric::Step) {
    if (llvm::Error E = readParts(Path, IsNew, Run))
      return std::move(E);
    fs::remove(Path);
  }
  return Run;
}

bool Session::isTimeOver() const {
  return Options.TimeLimit &&
         std::chrono::nanoseconds(Clock::now() - Start).count() >=
             *Options.TimeLimit;
}

void Session::showProgress(const StoppingPlan &Plan) {
  if (!Line.isPossible())
    return;
  std::string Text = fmt::format("[{}/{}] ", T.Runs.size(), 2 * T.MostRuns);
  if (!T.times(false).empty())
    Text += "base " + report::duration(median(T.times(false)));
  if (!T.times(true).empty())
    Text += ", new " + report::duration(median(T.times(true)));
  if (std::optional<TrialsJudged> J = judge(T, Plan)) {
    Text += ": " + report::signedPercent(J->Change);
    if (J->Range)
      Text += fmt::format(" ({} to {})", report::signedPercent(J->Range->Low),
                          report::signedPercent(J->Range->High));
  }
  Line.show(std::move(Text));
}

llvm::Error Session::measure() {
  const StoppingPlan Plan(T.isFixed() ? std::vector<Look>() : T.looks());
  const bool Order[] = {false, true, true, false};
  for (size_t Made = 0; Made < 2 * T.MostRuns && !isTimeOver(); ++Made) {
    llvm::Expected<Trial> Run = runOnce(Order[Made % 4]);
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
    if (isDecided(T, Plan))
      break;
  }
  Line.clear();
  for (const char *Name : {"stdout", "stderr"})
    fs::remove(file(Name));
  return llvm::Error::success();
}
