// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `autoprof run`: starts a program with the runtime beside it.
#include "cli/RecordOptions.h"
#include "cli/SubCommands.h"
#include "cli/recorder/LaunchMeter.h"
#include "cli/recorder/RecorderVariables.h"
#include "support/Launch.h"

#include "report/Format.h"
#include "trace/Load.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <fnmatch.h>
#include <unistd.h>

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

/// Whether the name stands for several files (%p and the like).
bool isPattern(StringRef Output) {
  return path::filename(Output).contains('%');
}

/// Keeps a trace that is in the way until a new one has taken its place: a
/// run that writes nothing must not cost the user the last recording.
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
  ~Displaced() {
    if (Aside.empty())
      return;
    std::error_code E =
        fs::exists(Path) ? fs::remove(Aside) : fs::rename(Aside, Path);
    if (E)
      fail("the last trace was left as '" + Aside + "': " + E.message());
  }
};

/// Whether files can be made in `Folder`: for the superuser and in file systems
/// like /proc, only trying tells.
std::error_code tryToWriteIn(StringRef Folder) {
  std::string Trial = (Folder + "/.autoprof-XXXXXX").str();
  int Descriptor = mkstemp(Trial.data());
  if (Descriptor < 0)
    return std::error_code(errno, std::generic_category());
  close(Descriptor);
  return fs::remove(Trial);
}

/// Makes room at `Output` (absolute): the runtime writes only new files.
llvm::Error prepareOutput(StringRef Output, Displaced &Old) {
  StringRef Folder = path::parent_path(Output);
  if (!fs::is_directory(Folder))
    return llvm::createStringError(
        "cannot write '" + Output + "': there is no folder '" + Folder + "'" +
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

/// Turns `Output` into the patterns of the files a run may write: the name
/// itself, and the name with a process id before its extension.
std::vector<std::string> patternsOf(StringRef Output) {
  std::string Escaped;
  for (StringRef Rest = path::filename(Output); !Rest.empty();) {
    size_t Close = Rest.starts_with("%q{") ? Rest.find('}') : StringRef::npos;
    bool Varies = Rest.starts_with("%p") || Rest.starts_with("%h") ||
                  Close != StringRef::npos;
    if (Varies) {
      Escaped += '*';
      Rest = Rest.drop_front(Close == StringRef::npos ? 2 : Close + 1);
      continue;
    }
    if (StringRef("*?[\\").contains(Rest[0]))
      Escaped += '\\';
    Escaped += Rest[0];
    Rest = Rest.drop_front(Rest.starts_with("%%") ? 2 : 1);
  }
  StringRef Extension = path::extension(Escaped);
  std::string Stem = StringRef(Escaped).drop_back(Extension.size()).str();
  return {Escaped, Stem + ".[0-9]*" + Extension.str()};
}

/// The traces written since `Start` whose names match: `Output` itself first,
/// then by name.
std::vector<std::string> findTraces(StringRef Output,
                                    const std::vector<std::string> &Patterns,
                                    llvm::sys::TimePoint<> Start) {
  std::vector<std::string> Found;
  std::error_code E;
  for (fs::directory_iterator It(path::parent_path(Output), E), End;
       !E && It != End; It.increment(E)) {
    std::string Name = path::filename(It->path()).str();
    fs::file_status Status;
    bool Matches = llvm::any_of(Patterns, [&](const std::string &P) {
      return !fnmatch(P.c_str(), Name.c_str(), FNM_PERIOD);
    });
    if (Matches && !fs::status(It->path(), Status) &&
        fs::is_regular_file(Status) &&
        Status.getLastModificationTime() >= Start &&
        (Status.getSize() || It->path() == Output) &&
        trace::isReplaceable(It->path()))
      Found.push_back(It->path());
  }
  llvm::sort(Found, [Output](const std::string &A, const std::string &B) {
    return std::pair(A != Output, A) < std::pair(B != Output, B);
  });
  return Found;
}

/// What stays behind of a ring (--max-size) when the program does not end in
/// order.
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

/// As the user would type it.
std::string shortest(StringRef Path) {
  llvm::SmallString<256> Folder;
  if (!fs::current_path(Folder) && path::parent_path(Path) == Folder)
    return path::filename(Path).str();
  return Path.str();
}

/// Whether Nsight Compute starts the program, or is it: it has CUPTI then.
bool isUnderNsightCompute(StringRef Program) {
  const StringRef Name = path::filename(Program);
  return getenv("NV_COMPUTE_PROFILER_PERFWORKS_DIR") || Name == "ncu" ||
         Name == "nv-nsight-cu-cli";
}

void reportTraces(const std::vector<std::string> &Traces, StringRef Program,
                  StringRef Mode) {
  llvm::raw_ostream &Err = llvm::errs();
  if (Traces.empty()) {
    const char *Disabled = std::getenv("AUTOPROF_DISABLE");
    if (Disabled && *Disabled && StringRef(Disabled) != "0")
      Err << "autoprof: no trace was written: AUTOPROF_DISABLE is set\n";
    else if (Mode != "nvtx" && isUnderNsightCompute(Program))
      Err << "autoprof: no trace was written: Nsight Compute has CUPTI in this "
             "run, so only autoprof probes could be recorded, and the program "
             "has none; record it without Nsight Compute\n";
    else if (Mode != "nvtx")
      Err << "autoprof: no trace was written: '" << Program
          << "' did not call CUDA and has no autoprof probes in it\n";
    return;
  }
  uint64_t Total = 0;
  for (const std::string &Trace : Traces) {
    uint64_t Size = 0;
    if (!fs::file_size(Trace, Size))
      Total += Size;
  }
  Err << "autoprof: wrote ";
  if (Traces.size() > 1)
    Err << Traces.size() << " traces, one a process: ";
  for (size_t I = 0; I < Traces.size(); ++I)
    Err << (I ? ", " : "") << shortest(Traces[I]);
  Err << " (" << report::bytes(Total) << "); next: autoprof report "
      << shortest(Traces.front()) << '\n';
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

int run(llvm::ArrayRef<StringRef> Args) {
  llvm::SmallVector<Option> Known = {{"output", 'o', true},
                                     {"mode", 0, true},
                                     {"stacks"},
                                     {"compress"},
                                     {"measure-launches"}};
  llvm::append_range(Known, recordOptions());
  llvm::Expected<Arguments> A = parse(Args, Known, /*UntilProgram=*/true);
  if (!A)
    return failUsage(RunCommand, llvm::toString(A.takeError()));
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
    return failUsage(RunCommand,
                     "--mode takes full, full+stacks, light, light+calls, "
                     "steps or nvtx, not '" +
                         Mode + "'" +
                         (A->has("mode") ? "" : ", which AUTOPROF_MODE says"));
  const bool IsFull = Mode == "full" || Mode == "full+stacks";
  if (llvm::Error E = setRecordVariables(*A, /*TimesSteps=*/IsFull))
    return failUsage(RunCommand, llvm::toString(std::move(E)));
  llvm::SmallString<256> Path(A->get("output", "autoprof.pftrace"));
  if (std::error_code E = fs::make_absolute(Path))
    return fail("cannot find the current folder: " + E.message());

  llvm::Expected<std::string> Runtime = findRuntime();
  if (!Runtime)
    return fail(llvm::toString(Runtime.takeError()));
  llvm::Expected<std::string> Program = findProgram(A->Positional[0]);
  if (!Program)
    return fail(llvm::toString(Program.takeError()));
  Displaced Old;
  if (llvm::Error E = prepareOutput(Path, Old))
    return fail(llvm::toString(std::move(E)));

  Variables Set = recorderVariables(*Runtime, Path, Mode);
  reportOtherTool(Set);
  if (IsFull && Set.count("CUDA_INJECTION64_PATH"))
    if (runtime::MeasuredCosts Costs = recorderCosts(*Runtime); Costs.isKnown())
      Set["AUTOPROF_RECORDER_COST"] = Costs.text();
  for (const auto &[Name, Value] : Set)
    setenv(Name.c_str(), Value.c_str(), /*overwrite=*/1);
  if (A->has("compress"))
    setenv("AUTOPROF_COMPRESS", "1", 1);

  auto Start = std::chrono::system_clock::now();
  llvm::Expected<int> Code = launch(*Program, A->Positional);
  if (!Code)
    return fail(llvm::toString(Code.takeError()));
  reportTraces(findTraces(Path, patternsOf(Path), Start), A->Positional[0],
               Mode);
  for (const std::string &Half : findTraces(Path, olderHalves(Path), Start))
    llvm::errs() << "autoprof: " << shortest(Half)
                 << " holds what was before; cat the two to read both\n";
  return *Code;
}

} // namespace

const Command cli::RunCommand = {
    "run", "record a program",
    "Usage: autoprof run [OPTIONS] [--] PROGRAM [ARGUMENTS]\n"
    "\n"
    "Runs a program and records its CUDA calls, its GPU work and its probes.\n"
    "The program may be compiled with the autoprof plugin (then the report\n"
    "names source lines) or not. Its output and its exit code stay as they "
    "are.\n"
    "\n"
    "Options:\n"
    "  -o, --output=FILE  where the trace goes; default: autoprof.pftrace.\n"
    "                     %p, %h and %q{NAME} stand for the process id, the\n"
    "                     host and an environment variable. A further process\n"
    "                     of the same run writes FILE with its process id\n"
    "                     before the extension. An existing file is replaced\n"
    "                     only if it is a trace or empty.\n"
    "  --mode=MODE        full (the default, unless AUTOPROF_MODE is set):\n"
    "                     calls, GPU work and probes; 1 to 2.7 us a launch\n"
    "                     on two H200 machines (docs/performance.md);\n"
    "                     light: probes only, and none at launches, which it\n"
    "                     does not slow down: for production;\n"
    "                     light+calls: and calls that may wait, by their time\n"
    "                     only, for programs that were never recompiled; "
    "about\n"
    "                     0.4 us a launch and 0.9 us a wait on an H200;\n"
    "                     steps: only when the parts that --steps names begin\n"
    "                     and end, with the GPU idle at both: what steps take\n"
    "                     unrecorded;\n"
    "                     nvtx: no recording, only NVTX ranges for other "
    "tools\n"
    "  --stacks           with full: the host stacks of calls that may wait "
    "and\n"
    "                     took 5 us or more, of the calls before and after "
    "the\n"
    "                     CPU was busy elsewhere, and of one in 64 of the "
    "other\n"
    "                     calls, so that programs which were never recompiled\n"
    "                     have source lines: Python's, or by debug "
    "information.\n"
    "                     The same as --mode=full+stacks\n"
    "  --stacks-pause=TIME\n"
    "                     with --stacks: how long a thread makes no call that\n"
    "                     launches, copies or waits, for the CPU to count as\n"
    "                     busy elsewhere; default: 50us. 'off': look for no\n"
    "                     pauses, and take no stack of a launch\n"
    "  --memory           with full: each allocation and release, for who "
    "holds\n"
    "                     the GPU's memory\n"
    "  --compress         write the trace compressed, with zlib; it is as "
    "safe\n"
    "                     from crashes, and opens in Perfetto as it is\n"
    "  --throttle=RUNS    how many runs of a function or loop iteration are\n"
    "                     recorded on a thread that take less than 10 us each\n"
    "                     and have no GPU work in them; default: 10000. Runs\n"
    "                     that take longer or have GPU work in them are\n"
    "                     always recorded. 'off': all runs\n"
    "\n"
    "What part of the run (default: all of it). Before it the program runs as "
    "it\n"
    "would alone; behind it CUPTI still costs 1.3 us a launch on an H200:\n"
    "  --steps=FROM:TO    from step FROM up to, and without, step TO; the "
    "first\n"
    "                     step is 0. Several: 3:8,100:110. A step is a run of\n"
    "                     the range that --range names, else of the 'step' of\n"
    "                     .autoprof; else the program says with "
    "autoprof_step()\n"
    "                     where one ends.\n"
    "  --range=NAME       while this range is open: function:NAME,\n"
    "                     loop:FILE:LINE, range:NAME (NVTX), or what stands\n"
    "                     behind the colon\n"
    "  --delay=TIME       from this time after the start on: 10s, 500ms, 2m\n"
    "  --duration=TIME    for so long\n"
    "  --capture=WHEN     profiler-api: from cudaProfilerStart to\n"
    "                     cudaProfilerStop; manual: from autoprof_start() in\n"
    "                     the program, or 'autoprof attach PID start', on;\n"
    "                     all (the default)\n"
    "  --unrecorded=N     time N steps before recording begins with the next\n"
    "                     one, to tell what recording costs. A step is named "
    "as\n"
    "                     for --steps. Default: 15, after 3 to 30 to warm up,\n"
    "                     where the program's probes have the 'step' of "
    ".autoprof;\n"
    "                     with --steps, 15 before the first part, where there "
    "is\n"
    "                     room. 0: none\n"
    "  --max-size=SIZE    keep only the last SIZE bytes of the trace (64M, "
    "1G)\n"
    "  --dump-signal=SIG  USR1 or USR2: at this signal, copy what is kept into "
    "a\n"
    "                     file beside the trace\n"
    "  --attach           take orders from 'autoprof attach' (manual does)\n"
    "\n"
    "Each option is also a variable: --steps is AUTOPROF_STEPS.\n"
    "\n"
    "Exit code: the program's; 128 + n when signal n ended it; 2 when "
    "autoprof\n"
    "could not start it.\n"
    "\n"
    "Examples:\n"
    "  autoprof run -- ./train --steps 100\n"
    "  autoprof run --steps=10:20 --range=function:train_step -- ./train\n"
    "  autoprof run -o rank%q{RANK}.pftrace -- ./train\n",
    run};
