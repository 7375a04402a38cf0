// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/traces/Analysed.h"

#include "analysis/Analysis.h"
#include "analysis/steps/SteadyPart.h"
#include "catalogue/SemanticsJson.h"
#include "config/Config.h"
#include "report/recording/Expressions.h"
#include "support/Progress.h"
#include "trace/Load.h"
#include "trace/Symbols.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;

/// Whether the calibration is of the recording's GPUs; a recording without GPU
/// work names none.
static bool isOfSameGpu(const catalogue::Semantics &Measured,
                        const trace::Timeline &T) {
  return llvm::all_of(T.Devices, [&](const trace::Device &D) {
    return D.Name.empty() || D.Name == Measured.Gpu;
  });
}

/// What the trace has of its machine.
static std::unique_ptr<catalogue::Semantics>
readConstants(const std::string &Path, const trace::Timeline &T) {
  if (T.Constants.empty())
    return nullptr;
  llvm::Expected<catalogue::Semantics> S =
      catalogue::readSemantics(T.Constants);
  if (S)
    return std::make_unique<catalogue::Semantics>(std::move(*S));
  llvm::errs() << "autoprof: warning: the calibration in " << Path
               << " is not used: " << llvm::toString(S.takeError()) << '\n';
  return nullptr;
}

llvm::Expected<StepChoice> cli::chooseStep(const Arguments &Args,
                                           bool ForPeople) {
  std::optional<int64_t> Pid;
  if (Args.has("pid") &&
      llvm::StringRef(Args.get("pid")).getAsInteger(10, Pid.emplace()))
    return llvm::createStringError(
        "--pid takes the number of a process, not '" + Args.get("pid") + "'");
  StepChoice Choice;
  Choice.Name = Args.get("step");
  Choice.Pid = Pid;
  const std::string Window = Args.get("window");
  if (Window == "steady")
    Choice.Steady = StepChoice::Every;
  else if (Window.empty() && ForPeople)
    Choice.Steady = StepChoice::WithoutSteps;
  if (!Window.empty() && Window != "steady" && Window != "all") {
    llvm::Expected<trace::WindowRequest> Asked =
        trace::WindowRequest::parse(Window);
    if (!Asked)
      return Asked.takeError();
    Choice.Window = *Asked;
  }
  if (Args.has("step"))
    return Choice;
  Choice.FromFile = true;
  llvm::SmallString<256> Folder;
  if (llvm::sys::fs::current_path(Folder))
    return Choice;
  llvm::Expected<Config> Project = loadConfig(Folder);
  if (!Project)
    return Project.takeError();
  Choice.Name = Project->Step;
  return Choice;
}

/// The same choice for the steady part only, if that is requested. A pipe
/// cannot be read again, and memory is that of the whole run.
static std::optional<StepChoice> choosePart(const std::string &Path,
                                            const StepChoice &Step,
                                            const trace::Timeline &T,
                                            const analysis::Result &R) {
  if (Step.Steady == StepChoice::None || T.Recorded.Limited ||
      (Step.Steady == StepChoice::WithoutSteps &&
       (!R.Steps.List.empty() || !T.Memory.empty())) ||
      !llvm::sys::fs::is_regular_file(Path))
    return std::nullopt;
  const std::optional<trace::Window> Part = analysis::findSteadyPart(T);
  if (!Part)
    return std::nullopt;
  StepChoice Result = Step;
  Result.Steady = StepChoice::None;
  Result.Window =
      trace::WindowRequest::between(*Part, {T.begin(), T.end()}, "steady");
  return Result;
}

constexpr llvm::StringLiteral ReadPart = "the part that was read";

/// The same choice for the part of a file that is cut off in which nothing is
/// missing.
static std::optional<StepChoice> chooseReadPart(const std::string &Path,
                                                const StepChoice &Step,
                                                const trace::Timeline &T) {
  if (Step.Window || !llvm::sys::fs::is_regular_file(Path))
    return std::nullopt;
  const std::optional<trace::Window> Part = analysis::findReadPart(T);
  if (!Part)
    return std::nullopt;
  StepChoice Result = Step;
  Result.Steady = StepChoice::None;
  Result.Window =
      trace::WindowRequest::between(*Part, {T.begin(), T.end()}, ReadPart);
  return Result;
}

/// Whether autoprof chose the part, not the user.
static bool isOwnChoice(const StepChoice &Step) {
  return Step.Window &&
         (Step.Window->text() == "steady" || Step.Window->text() == ReadPart);
}

/// The part that was read is all that there is.
static void forgetPart(trace::Timeline &T) {
  T.Part.reset();
  std::string &Plan = T.Recorded.Plan;
  const std::string Asked = ("--window=" + ReadPart).str();
  if (const size_t At = Plan.find(Asked); At != std::string::npos)
    Plan.replace(At, Asked.size(), ReadPart.str());
}

/// A --pid that chose nothing, because the file holds one process.
static void warnOfPid(const std::string &Path, const StepChoice &Step,
                      const trace::Timeline &T) {
  if (!Step.Pid || T.Info.Pid == *Step.Pid || isOwnChoice(Step))
    return;
  llvm::errs() << "autoprof: warning: --pid=" << *Step.Pid
               << " is not used: " << Path << " holds one process only";
  if (T.Info.Pid > 0)
    llvm::errs() << ", " << T.Info.Pid;
  llvm::errs() << '\n';
}

/// Whether the steps that were found may be parts of the recording's steps. The
/// steady part is nearly the whole recording.
static bool mayBeInsideSteps(const StepChoice &Step,
                             const analysis::Result &R) {
  return Step.Window && !isOwnChoice(Step) &&
         R.Steps.From == analysis::StepsFrom::Repetition;
}

llvm::Expected<std::unique_ptr<Analysed>>
cli::analyseFile(const std::string &Path, const StepChoice &Step,
                 const catalogue::Semantics *Given) {
  FileProgress Line(Path);
  llvm::Expected<trace::Timeline> T = trace::load(
      Path, {Step.Pid, [&Line](double Part) { Line.read(Part); }, Step.Window});
  if (!T)
    return T.takeError();
  warnOfPid(Path, Step, *T);
  if (std::optional<StepChoice> Part = chooseReadPart(Path, Step, *T))
    return analyseFile(Path, *Part, Given);
  if (Step.Window && Step.Window->text() == ReadPart)
    forgetPart(*T);
  trace::placeStacks(*T, trace::fileResolver());
  report::readExpressions(*T);
  std::unique_ptr<catalogue::Semantics> Own =
      Given ? nullptr : readConstants(Path, *T);
  const catalogue::Semantics *Measured = Given ? Given : Own.get();
  if (Measured && !isOfSameGpu(*Measured, *T)) {
    Line.clear();
    llvm::errs() << "autoprof: warning: the calibration is not used: it was "
                    "measured on "
                 << Measured->Gpu << ", and " << Path << " was recorded on "
                 << T->Devices.front().Name << '\n';
    Measured = nullptr;
  }
  Line.analyse();
  const bool IsOfProgram = Step.FromFile && Step.Name.empty();
  const std::string Name = IsOfProgram ? T->Info.step() : Step.Name;
  llvm::Expected<analysis::Result> R = analysis::analyse(*T, Name, Measured);
  Line.clear();
  if (!R && Step.FromFile) {
    llvm::errs() << "autoprof: warning: the step that "
                 << (!IsOfProgram ? ".autoprof names"
                     : T->Info.NamedSteps.size() == 1
                         ? ".autoprof named when the program was compiled"
                         : "autoprof_step() marks")
                 << " is not used: " << Path << ": "
                 << llvm::toString(R.takeError()) << '\n';
    R = analysis::analyse(*T, "", Measured);
  }
  if (!R)
    return llvm::createStringError(Path + ": " + llvm::toString(R.takeError()));
  if (mayBeInsideSteps(Step, *R)) {
    // A recording that does not fit into memory is known by its parts only.
    llvm::Expected<trace::Timeline> Whole =
        trace::load(Path, {Step.Pid, {}, std::nullopt});
    if (!Whole)
      llvm::consumeError(Whole.takeError());
    else
      R = analysis::analyse(
          *T, analysis::findStepsOfPart(*T, *Whole, Name, R->Steps), Measured);
  }
  if (std::optional<StepChoice> Steady = choosePart(Path, Step, *T, *R))
    return analyseFile(Path, *Steady, Given);
  return std::make_unique<Analysed>(
      Analysed{Path, std::move(*T), std::move(Own), std::move(*R)});
}

std::unique_ptr<Analysed>
cli::loadAndAnalyse(const std::string &Path, const StepChoice &Step,
                    const catalogue::Semantics *Measured) {
  llvm::Expected<std::unique_ptr<Analysed>> Trace =
      analyseFile(Path, Step, Measured);
  if (Trace)
    return std::move(*Trace);
  fail(llvm::toString(Trace.takeError()));
  return nullptr;
}
