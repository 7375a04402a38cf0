// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/traces/Analysed.h"

#include "catalogue/SemanticsJson.h"
#include "config/Config.h"
#include "report/recording/SiteTexts.h"
#include "support/Progress.h"
#include "trace/Symbols.h"
#include "trace/timeline/PartOf.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::cli;
using namespace autoprof::support;
using trace::Timeline;

llvm::Expected<StepChoice> cli::chooseStep(const Arguments &Args) {
  std::optional<int64_t> Pid;
  if (Args.has("pid") &&
      llvm::StringRef(Args.get("pid")).getAsInteger(10, Pid.emplace()))
    return llvm::createStringError(
        "--pid takes the number of a process, not '" + Args.get("pid") + "'");
  StepChoice Choice;
  Choice.Name = Args.get("step");
  Choice.Pid = Pid;
  const std::string Window = Args.get("window");
  if (!Window.empty()) {
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

namespace {

class Reader {
  const std::string &Path;
  const StepChoice &Choice;
  FileProgress Line;
  std::string Name; ///< Of the steps; "": none, or it was not found.

  void warn(const std::string &Text);
  llvm::Expected<Timeline> read();
  void warnOfPid(const Timeline &T);
  const catalogue::Semantics *choose(const catalogue::Semantics *Measured,
                                     const Timeline &T);
  std::unique_ptr<catalogue::Semantics> constants(const Timeline &T);
  llvm::Error wrap(llvm::Error E) const;
  llvm::Expected<Steps> steps(const Timeline &T);
  llvm::Expected<Steps> cutWindow(Timeline &T);

public:
  Reader(const std::string &Path, const StepChoice &Choice)
      : Path(Path), Choice(Choice), Line(Path) {}
  llvm::Expected<std::unique_ptr<Analysed>>
  run(const catalogue::Semantics *Given);
};

void Reader::warn(const std::string &Text) {
  Line.clear();
  llvm::errs() << "autoprof: warning: " << Text << '\n';
}

/// All of it; if that is too large, the part that the user wants.
llvm::Expected<Timeline> Reader::read() {
  auto Progress = [this](double Part) { Line.read(Part); };
  llvm::Expected<Timeline> T =
      trace::load(Path, {Choice.Pid, Progress, std::nullopt});
  if (T || !Choice.Window)
    return T;
  llvm::Error E = T.takeError();
  if (!E.isA<trace::TooLarge>())
    return std::move(E);
  llvm::consumeError(std::move(E));
  return trace::load(Path, {Choice.Pid, Progress, Choice.Window});
}

/// A --pid that chose nothing, because the file holds one process.
void Reader::warnOfPid(const Timeline &T) {
  if (!Choice.Pid || T.Info.Pid == *Choice.Pid)
    return;
  warn("--pid=" + std::to_string(*Choice.Pid) + " is not used: " + Path +
       " holds one process only" +
       (T.Info.Pid > 0 ? ", " + std::to_string(T.Info.Pid) : ""));
}

/// What the trace has of its machine.
std::unique_ptr<catalogue::Semantics> Reader::constants(const Timeline &T) {
  if (T.Constants.empty())
    return nullptr;
  llvm::Expected<catalogue::Semantics> S =
      catalogue::readSemantics(T.Constants);
  if (S)
    return std::make_unique<catalogue::Semantics>(std::move(*S));
  warn("the calibration in " + Path +
       " is not used: " + llvm::toString(S.takeError()));
  return nullptr;
}

/// Null if it is of another GPU. A recording without GPU work names none.
const catalogue::Semantics *Reader::choose(const catalogue::Semantics *Measured,
                                           const Timeline &T) {
  if (!Measured || llvm::all_of(T.Devices, [&](const trace::Device &D) {
        return D.Name.empty() || D.Name == Measured->Gpu;
      }))
    return Measured;
  warn("the calibration is not used: it was measured on " + Measured->Gpu +
       ", and " + Path + " was recorded on " + T.Devices.front().Name);
  return nullptr;
}

/// Names the file.
llvm::Error Reader::wrap(llvm::Error E) const {
  return llvm::make_error<NoSuchStep>(Path + ": " +
                                      llvm::toString(std::move(E)));
}

/// Of this name; where that is not the user's request, and the recording has
/// none, those that can be found.
llvm::Expected<Steps> Reader::steps(const Timeline &T) {
  llvm::Expected<Steps> S = findSteps(T, Name);
  if (S)
    return S;
  llvm::Error E = wrap(S.takeError());
  if (!Choice.FromFile)
    return std::move(E);
  const char *By = !Choice.Name.empty() ? ".autoprof names"
                   : T.Info.NamedSteps.size() == 1
                       ? ".autoprof named when the program was compiled"
                       : "autoprof_step() marks";
  warn(std::string("the step that ") + By +
       " is not used: " + llvm::toString(std::move(E)));
  Name.clear();
  return findSteps(T, Name);
}

/// Leaves the part that the user wants. What repeats in it may be parts of the
/// recording's steps, which are unknown if that was too large to be read.
llvm::Expected<Steps> Reader::cutWindow(Timeline &T) {
  if (T.Part)
    return steps(T);
  const Timeline Whole = std::move(T);
  llvm::Expected<Timeline> Part = trace::cut(Whole, *Choice.Window, Path);
  if (!Part)
    return Part.takeError();
  T = std::move(*Part);
  const std::string Asked = Name;
  llvm::Expected<Steps> S = steps(T);
  return S && S->From == StepsFrom::Repetition
             ? findStepsOfPart(T, Whole, Asked, std::move(*S))
             : std::move(S);
}

llvm::Expected<std::unique_ptr<Analysed>>
Reader::run(const catalogue::Semantics *Given) {
  // Read.
  llvm::Expected<Timeline> File = read();
  if (!File)
    return File.takeError();
  auto Result = std::make_unique<Analysed>();
  Result->Path = Path;
  Timeline &T = Result->T = std::move(*File);
  warnOfPid(T);
  if (!Choice.Window)
    trace::keepReadPart(T);
  trace::placeStacks(T, trace::fileResolver());
  report::readExpressions(T);
  report::labelSites(T);
  Line.analyse();
  // Choose the part, and find its steps.
  Name = Choice.FromFile && Choice.Name.empty() ? T.Info.step() : Choice.Name;
  llvm::Expected<Steps> S = Choice.Window ? cutWindow(T) : steps(T);
  if (!S)
    return S.takeError();
  // Waits, stalls, replays, decisions.
  if (!Given)
    Result->Own = constants(T);
  Result->R =
      analyse(T, std::move(*S), choose(Given ? Given : Result->Own.get(), T));
  return Result;
}

} // namespace

llvm::Expected<std::unique_ptr<Analysed>>
cli::analyseFile(const std::string &Path, const StepChoice &Choice,
                 const catalogue::Semantics *Given) {
  return Reader(Path, Choice).run(Given);
}
