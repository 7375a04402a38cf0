// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `autoprof run`: starts a program with the runtime in it.
#include "catalogue/SemanticsJson.h"
#include "cli/SubCommands.h"
#include "cli/recorder/RecorderCosts.h"
#include "cli/recorder/RecorderVariables.h"
#include "cli/recorder/RunTraces.h"
#include "commands/Commands.h"
#include "support/Launch.h"
#include "support/Paths.h"
#include "support/SemanticsFile.h"

#include "report/Format.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstdlib>
#include <unistd.h>

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

/// Keeps an existing trace until a new one has replaced it: a run that writes
/// nothing must not destroy the last recording.
class Displaced {
  std::string Path, Aside;

public:
  llvm::Error move(StringRef Source) {
    Path = Source.str();
    Aside = Path + "." + std::to_string(getpid()) + ".old";
    if (std::error_code E = fs::rename(Path, Aside)) {
      Aside.clear();
      return llvm::createStringError("cannot replace '" + Source +
                                     "': " + E.message());
    }
    return llvm::Error::success();
  }
  bool isThere() const { return !Aside.empty(); }
  StringRef path() const { return Path; }
  ~Displaced() {
    if (Aside.empty())
      return;
    std::error_code E =
        fs::exists(Path) ? fs::remove(Aside) : fs::rename(Aside, Path);
    if (E)
      fail("the last trace was left as '" + Aside + "': " + E.message());
  }
};

/// Whether files can be made in `Folder`: for the superuser, in file systems
/// like /proc, and on a full disk, only an attempt shows it.
std::error_code tryToWriteIn(StringRef Folder) {
  std::string Trial = (Folder + "/.autoprof-XXXXXX").str();
  int Descriptor = mkstemp(Trial.data());
  if (Descriptor < 0)
    return std::error_code(errno, std::generic_category());
  const char Page[4096] = {};
  const auto Before = std::signal(SIGXFSZ, SIG_IGN);
  std::error_code Failure;
  if (write(Descriptor, Page, sizeof Page) != sizeof Page)
    Failure = std::error_code(errno, std::generic_category());
  std::signal(SIGXFSZ, Before);
  close(Descriptor);
  const std::error_code Left = fs::remove(Trial);
  return Failure ? Failure : Left;
}

/// The time now, as file systems have it: their clock ticks some milliseconds
/// behind the precise one, and programs can be shorter than that.
std::chrono::system_clock::time_point fileClock() {
  timespec Now = {};
  clock_gettime(CLOCK_REALTIME_COARSE, &Now);
  return std::chrono::system_clock::time_point(
      std::chrono::seconds(Now.tv_sec) + std::chrono::nanoseconds(Now.tv_nsec));
}

/// Makes room at `Output` (absolute): the runtime writes only new files.
llvm::Error prepareOutput(StringRef Output, Displaced &Old) {
  StringRef Folder = path::parent_path(Output);
  if (!fs::is_directory(Folder))
    return llvm::createStringError(
        "cannot write '" + Output + "': the folder '" + Folder +
        "' does not exist" +
        (Folder.contains('%')
             ? "; %p, %h and %q{NAME} are for the file's name only"
             : ""));
  if (fs::is_directory(Output))
    return llvm::createStringError("cannot write '" + Output +
                                   "': it is a directory");
  if (fs::exists(Output) && !fs::is_regular_file(Output))
    return llvm::createStringError(
        "cannot write '" + Output +
        "': it is a device or a pipe; name a file with -o");
  if (std::error_code E = tryToWriteIn(Folder))
    return llvm::createStringError(
        "cannot write '" + Output + "': the folder '" + Folder +
        "' takes no files (" + E.message() + "); choose another with -o");
  if (isPattern(Output) || !fs::exists(Output))
    return llvm::Error::success();
  if (!trace::isReplaceable(Output))
    return llvm::createStringError(
        "'" + Output +
        "' exists and is not a trace of autoprof; choose another name with -o");
  return Old.move(Output);
}

/// The files of a ring (--max-size) that remain if the program does not exit
/// cleanly.
std::vector<std::string> olderHalves(StringRef Output) {
  std::vector<std::string> Result;
  for (StringRef Pattern : patternsOf(Output)) {
    StringRef Extension = path::extension(Pattern);
    Result.push_back(
        (Pattern.drop_back(Extension.size()) + ".older-[0-9]*" + Extension)
            .str());
  }
  return Result;
}

/// Whether Nsight Compute starts the program, or is it: it has CUPTI then.
bool isUnderNsightCompute(StringRef Program) {
  const StringRef Name = path::filename(Program);
  return getenv("NV_COMPUTE_PROFILER_PERFWORKS_DIR") || Name == "ncu" ||
         Name == "nv-nsight-cu-cli";
}

void reportNone(StringRef Program, StringRef Mode, const Displaced &Old) {
  llvm::raw_ostream &Err = llvm::errs();
  const char *Disabled = std::getenv("AUTOPROF_DISABLE");
  if (Disabled && *Disabled && StringRef(Disabled) != "0")
    Err << "autoprof: no trace was written: AUTOPROF_DISABLE is set\n";
  else if (Mode != "nvtx" && isUnderNsightCompute(Program))
    Err << "autoprof: no trace was written: Nsight Compute has CUPTI in this "
           "run, so only autoprof probes could be recorded, and the program "
           "has none; record it without Nsight Compute\n";
  else if (Mode != "nvtx")
    Err << "autoprof: no trace was written: '" << Program
        << "' did not load the CUDA driver and ran no autoprof probe\n";
  // Otherwise 'autoprof report' would show it as if it were of this run.
  if (Old.isThere())
    Err << "autoprof: '" << pathFromHere(Old.path())
        << "' is of an earlier run\n";
}

void reportTraces(const std::vector<RunTrace> &Traces) {
  llvm::raw_ostream &Err = llvm::errs();
  uint64_t Total = 0;
  for (const RunTrace &Trace : Traces) {
    uint64_t Size = 0;
    if (!fs::file_size(Trace.Path, Size))
      Total += Size;
  }
  Err << "autoprof: wrote ";
  if (Traces.size() > 1)
    Err << Traces.size() << " traces, one per process: ";
  for (size_t I = 0; I < Traces.size(); ++I)
    Err << (I ? ", " : "") << pathFromHere(Traces[I].Path);
  Err << " (" << bytes(Total) << "); next: autoprof report "
      << pathFromHere(Traces.front().Path) << '\n';
  for (const RunTrace &Trace : Traces)
    if (Trace.IsRunning)
      Err << "autoprof: process " << Trace.Content.Pid
          << " is still running and records to " << pathFromHere(Trace.Path)
          << '\n';
  const trace::Survey &First = Traces.front().Content;
  if (First.HasCupti && !First.Operations)
    Err << "autoprof: no process did GPU work while it was recorded\n";
}

/// What the processes of the run wrote to `Output` since `Start`.
void finishTraces(const Arguments &A, StringRef Output, StringRef Mode,
                  llvm::sys::TimePoint<> Start, const Displaced &Old) {
  const std::vector<std::string> Found =
      findTraces(Output, patternsOf(Output), Start);
  if (Found.empty())
    return reportNone(A.Positional[0], Mode, Old);
  std::vector<RunTrace> Traces = surveyTraces(Found);
  const char *KeepsAll = std::getenv("AUTOPROF_ALL_PROCESSES");
  const size_t Removed = KeepsAll && *KeepsAll ? 0 : removeIdle(Traces);
  // A process that goes on recording into a ring goes by its file's name.
  const bool IsNameInUse =
      A.has("max-size") &&
      llvm::any_of(Traces, [](const RunTrace &T) { return T.IsRunning; });
  if (!isPattern(Output) && !IsNameInUse)
    giveName(Traces, Output);
  reportTraces(Traces);
  if (Removed)
    llvm::errs() << "autoprof: " << Removed
                 << (Removed == 1 ? " process" : " processes")
                 << " without GPU work left no trace (--all-processes keeps "
                 << (Removed == 1 ? "it" : "them") << ")\n";
}

/// Another tool that the driver would have loaded is not started after this
/// one: most need CUPTI, which only one can have.
void reportOtherTool(const Variables &Set) {
  auto Own = Set.find("CUDA_INJECTION64_PATH");
  const char *Other = getenv("CUDA_INJECTION64_PATH");
  if (Own != Set.end() && Other && *Other &&
      !fs::equivalent(Other, Own->second))
    llvm::errs() << "autoprof: CUDA_INJECTION64_PATH names another tool ("
                 << Other << "), which is not loaded in this run\n";
}

/// Stores what a calibration of this machine says of copies and pauses in the
/// trace: a report may be made elsewhere.
llvm::Error storeConstants(const Arguments &A) {
  auto Measured = openSemantics(A);
  if (!Measured)
    return Measured.takeError();
  if (!*Measured || ((*Measured)->Machine.Copies.empty() &&
                     (*Measured)->Machine.Pauses.empty()))
    return llvm::Error::success();
  // The kernel takes at most 128 KiB in one variable.
  constexpr size_t MaxBytes = 100'000;
  const std::string Constants = catalogue::constantsOf(**Measured);
  if (Constants.size() <= MaxBytes)
    setenv("AUTOPROF_MACHINE", Constants.c_str(), /*overwrite=*/1);
  else
    llvm::errs() << "autoprof: warning: the calibration is not stored in the "
                    "trace: its copies and pauses take more than 100 kB\n";
  return llvm::Error::success();
}

int run(llvm::ArrayRef<StringRef> Args) {
  llvm::Expected<Arguments> A =
      parse(Args, commands::Run, /*UntilProgram=*/true);
  if (!A)
    return failUsage(RunCommand, A.takeError());
  if (A->has("measure-launches"))
    return measureLaunches(llvm::outs());
  if (A->Positional.empty())
    return failUsage(RunCommand,
                     "run needs a program: autoprof run -- PROGRAM");
  const char *Preset = getenv("AUTOPROF_MODE");
  std::string Mode = A->get("mode", Preset && *Preset ? Preset : "full");
  if (A->has("stacks") && Mode != "full" && Mode != "full+stacks")
    return failUsage(RunCommand,
                     "--stacks needs the mode full, not '" + Mode + "'");
  if (A->has("memory") && Mode != "full" && Mode != "full+stacks")
    return failUsage(RunCommand,
                     "--memory needs the mode full, not '" + Mode + "'");
  if (A->has("stacks"))
    Mode = "full+stacks";
  if (A->has("stacks-pause") && Mode != "full+stacks")
    return failUsage(RunCommand, "--stacks-pause needs --stacks");
  if (Mode != "full" && Mode != "full+stacks" && Mode != "light" &&
      Mode != "light+calls" && Mode != "steps" && Mode != "nvtx")
    return failUsage(
        RunCommand, "--mode takes full, full+stacks, light, light+calls, "
                    "steps or nvtx, not '" +
                        Mode + "'" +
                        (A->has("mode") ? "" : ", the value of AUTOPROF_MODE"));
  const bool IsFull = Mode == "full" || Mode == "full+stacks";
  if (llvm::Error E = setRecordVariables(*A))
    return failUsage(RunCommand, std::move(E));
  if (A->has("semantics") && !IsFull)
    return failUsage(RunCommand,
                     "--semantics needs the mode full, not '" + Mode + "'");
  if (IsFull)
    if (llvm::Error E = storeConstants(*A))
      return fail(std::move(E));
  llvm::SmallString<256> Path(A->get("output", "autoprof.pftrace"));
  if (std::error_code E = fs::make_absolute(Path))
    return fail("cannot find the current folder: " + E.message());

  llvm::Expected<std::string> Runtime = findRuntime();
  if (!Runtime)
    return fail(Runtime.takeError());
  llvm::Expected<std::string> Program = findProgram(A->Positional[0]);
  if (!Program)
    return fail(Program.takeError());
  Displaced Old;
  if (llvm::Error E = prepareOutput(Path, Old))
    return fail(std::move(E));

  Variables Set = recorderVariables(*Runtime, Path, Mode);
  reportOtherTool(Set);
  if (IsFull && Set.count("CUDA_INJECTION64_PATH"))
    if (runtime::MeasuredCosts Costs = recorderCosts(*Runtime); Costs.isKnown())
      Set["AUTOPROF_RECORDER_COST"] = Costs.text();
  Set["AUTOPROF_NAMED_LATER"] = "1";
  for (const auto &[Name, Value] : Set)
    setenv(Name.c_str(), Value.c_str(), /*overwrite=*/1);

  const auto Start = fileClock();
  llvm::Expected<int> Code = launch(*Program, A->Positional);
  if (!Code)
    return fail(Code.takeError());
  finishTraces(*A, Path, Mode, Start, Old);
  for (const std::string &Half : findTraces(Path, olderHalves(Path), Start))
    llvm::errs() << "autoprof: " << pathFromHere(Half)
                 << " holds what was before; cat the two to read both\n";
  return *Code;
}

} // namespace

const Command cli::RunCommand = {commands::Run, run};
