// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calibrate/Machine.h"
#include "calibrate/Supervisor.h"
#include "calibrate/Worker.h"
#include "catalogue/SemanticsJson.h"
#include "cli/Output.h"
#include "cli/SubCommands.h"
#include "cli/recorder/MachineConstants.h"
#include "commands/Commands.h"
#include "report/catalogue/Calibration.h"
#include "report/catalogue/Formats.h"
#include "support/SemanticsFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Path.h"

#include <cstdlib>
#include <unistd.h>

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using calibrate::Case;
using llvm::StringRef;

namespace {

constexpr char DefaultFile[] = "autoprof-semantics.json";

volatile std::sig_atomic_t Interrupt = 0;
void interrupt(int) { Interrupt = 1; }

/// Makes signals set Interrupt while it lives.
class Interruptible {
public:
  Interruptible() {
    struct sigaction New{};
    New.sa_handler = interrupt;
    for (size_t I = 0; I < std::size(Signals); ++I)
      sigaction(Signals[I], &New, &Before[I]);
  }
  ~Interruptible() {
    for (size_t I = 0; I < std::size(Signals); ++I)
      sigaction(Signals[I], &Before[I], nullptr);
  }

private:
  static constexpr int Signals[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction Before[std::size(Signals)];
};

/// One line that is overwritten, on a terminal; nothing elsewhere.
class Progress {
public:
  explicit Progress(size_t Count) : Count(Count) {}
  ~Progress() { clear(); }
  void next(unsigned Done, const Case &C) {
    if (!Terminal)
      return;
    clear();
    llvm::errs() << "calibrate: " << Done + 1 << " of " << Count << ", "
                 << catalogue::libraryTitle(C.library()) << ": " << C.Call;
    llvm::errs().flush();
  }

private:
  void clear() {
    if (Terminal)
      llvm::errs() << "\r\x1b[K";
  }
  size_t Count;
  bool Terminal = isatty(STDERR_FILENO);
};

llvm::Expected<std::vector<unsigned>> chosen(const Arguments &A) {
  std::string Patterns = A.get("only", "*"); // The pattern points into it.
  llvm::Expected<llvm::GlobPattern> Pattern =
      llvm::GlobPattern::create(Patterns, /*MaxSubPatterns=*/100);
  if (!Pattern)
    return llvm::createStringError("--only: " +
                                   llvm::toString(Pattern.takeError()));
  std::vector<unsigned> Result;
  for (const auto &[I, C] : llvm::enumerate(calibrate::allCases().All)) {
    bool Quick = C.library() == "cuda" || C.library() == "cudart";
    if ((!A.has("quick") || Quick) && Pattern->match(C.Call))
      Result.push_back(I);
  }
  if (Result.empty())
    return llvm::createStringError("no case fits '" + Patterns +
                                   "'; 'autoprof calibrate --list' has all");
  return Result;
}

int list(llvm::ArrayRef<unsigned> Chosen) {
  for (unsigned I : Chosen) {
    const Case &C = calibrate::allCases().All[I];
    llvm::outs() << C.library() << '\t' << C.Call << '\t' << C.Arguments
                 << '\n';
  }
  return Fine;
}

/// Checks before minutes of measuring whether the file can be written
/// afterwards. It is not changed: its content stays if the run is interrupted.
llvm::Error checkWritable(const std::string &File) {
  namespace fs = llvm::sys::fs;
  StringRef Folder = llvm::sys::path::parent_path(File);
  std::error_code E;
  if (fs::is_directory(File))
    E = std::make_error_code(std::errc::is_a_directory);
  else if (fs::exists(File))
    E = fs::access(File, fs::AccessMode::Write);
  else
    E = fs::access(Folder.empty() ? "." : Folder, fs::AccessMode::Write);
  if (E)
    return llvm::createStringError("cannot write '" + File +
                                   "': " + E.message());
  return llvm::Error::success();
}

llvm::Error writeFile(const std::string &File, const catalogue::Semantics &S) {
  std::error_code E;
  llvm::raw_fd_ostream Out(File, E);
  if (!E) {
    catalogue::writeSemantics(S, Out);
    Out.close();
    E = Out.error();
    Out.clear_error();
  }
  if (E)
    return llvm::createStringError("cannot write '" + File +
                                   "': " + E.message());
  return llvm::Error::success();
}

/// Prints a calibration to standard output; the file is written by others.
int print(const catalogue::Semantics &S, Output &Out) {
  Out.write(report::CalibrationFormats, S);
  return Fine;
}

int show(const std::string &File, Output &Out) {
  auto S = readSemanticsFile(File);
  if (!S)
    return fail(llvm::toString(S.takeError()));
  return print(**S, Out);
}

int measureAndWrite(const Arguments &A, calibrate::Plan P, Output &Out) {
  std::string File = A.get("output", DefaultFile);
  if (llvm::Error E = checkWritable(File))
    return fail(llvm::toString(std::move(E)));
  llvm::Expected<catalogue::Semantics> S = [&] {
    Interruptible Signals;
    Progress Line(P.Cases.size());
    P.Interrupt = &Interrupt;
    P.Progress = [&](unsigned Done, const Case &C) { Line.next(Done, C); };
    return calibrate::measure(P);
  }();
  if (!S)
    return fail(llvm::toString(S.takeError()));
  llvm::Expected<catalogue::Constants> Machine = recordConstants(P.Device);
  if (Machine)
    S->Machine = std::move(*Machine);
  else
    llvm::errs() << "autoprof: copy rates and pauses were not measured: "
                 << llvm::toString(Machine.takeError()) << '\n';
  if (llvm::Error E = writeFile(File, *S))
    return fail(llvm::toString(std::move(E)));
  size_t Failed = llvm::count_if(
      S->Observations, [](const auto &O) { return !O.Error.empty(); });
  llvm::errs() << "autoprof: wrote " << File << ": "
               << S->Observations.size() - Failed << " measured, " << Failed
               << " not; use it with --semantics " << File << '\n';
  return print(*S, Out);
}

/// A calibration without observations: constants of a recording's machine.
int takeFrom(const Arguments &A, Output &Out) {
  const std::string File = A.get("output", DefaultFile);
  if (llvm::Error E = checkWritable(File))
    return fail(llvm::toString(std::move(E)));
  llvm::Expected<catalogue::Semantics> S = constantsOf(A.get("from"));
  if (!S)
    return fail(llvm::toString(S.takeError()));
  if (llvm::Error E = writeFile(File, *S))
    return fail(llvm::toString(std::move(E)));
  llvm::errs() << "autoprof: wrote " << File << ": " << S->Machine.Copies.size()
               << " sizes of copies, " << S->Machine.Pauses.size()
               << " kinds of pauses; use it with --semantics " << File << '\n';
  return print(*S, Out);
}

/// Which programs run, and how long. The variables are for tests of what
/// happens when a worker misbehaves.
llvm::Error setUpProcesses(calibrate::Plan &P) {
  llvm::SmallString<256> Sources;
  if (std::error_code E = llvm::sys::fs::real_path("/proc/self/exe", Sources))
    return llvm::createStringError("cannot find its own folder: " +
                                   E.message());
  llvm::sys::path::remove_filename(Sources);
  llvm::sys::path::append(Sources, "..", "share", "autoprof", "calibrate");
  llvm::sys::path::remove_dots(Sources, /*remove_dot_dot=*/true);
  P.Sources = Sources.str().str();
  if (const char *Program = std::getenv("AUTOPROF_CALIBRATE_WORKER"))
    P.Program = Program;
  const char *Limit = std::getenv("AUTOPROF_CALIBRATE_LIMIT_MS");
  if (Limit &&
      (StringRef(Limit).getAsInteger(10, P.CaseLimitMs) || P.CaseLimitMs <= 0))
    return llvm::createStringError(
        "AUTOPROF_CALIBRATE_LIMIT_MS takes a number of milliseconds of 1 or "
        "more, not '" +
        llvm::Twine(Limit) + "'");
  return llvm::Error::success();
}

int run(llvm::ArrayRef<StringRef> Args) {
  llvm::Expected<Arguments> A = parse(Args, commands::Calibrate);
  if (!A)
    return failUsage(CalibrateCommand, llvm::toString(A.takeError()));
  if (!A->Positional.empty())
    return failUsage(CalibrateCommand,
                     "calibrate takes no '" + A->Positional[0] + "'");
  calibrate::Plan P;
  if (StringRef(A->get("device", "0")).getAsInteger(10, P.Device) ||
      P.Device < 0)
    return failUsage(CalibrateCommand,
                     "--device takes the number of a GPU, not '" +
                         A->get("device") + "'");
  if (A->has("worker"))
    return calibrate::work(P.Device, A->get("worker"), STDIN_FILENO,
                           /*Replies=*/3);
  if (A->has("exercise")) {
    if (llvm::Error E = calibrate::exerciseMachine(P.Device))
      return fail(llvm::toString(std::move(E)));
    return Fine;
  }
  llvm::Expected<std::vector<unsigned>> Chosen = chosen(*A);
  if (!Chosen)
    return failUsage(CalibrateCommand, llvm::toString(Chosen.takeError()));
  if (A->has("list"))
    return list(*Chosen);
  // The file of -o is JSON; what is printed has the format.
  Arguments Printed = *A;
  Printed.Options.erase("output");
  llvm::Expected<Output> Out = openOutput(Printed, report::CalibrationFormats);
  if (!Out)
    return failUsage(CalibrateCommand, llvm::toString(Out.takeError()));
  if (A->has("show"))
    return show(A->get("show"), *Out);
  if (A->has("from"))
    return takeFrom(*A, *Out);
  P.Cases = std::move(*Chosen);
  if (llvm::Error E = setUpProcesses(P))
    return fail(llvm::toString(std::move(E)));
  return measureAndWrite(*A, std::move(P), *Out);
}

} // namespace

const Command cli::CalibrateCommand = {commands::Calibrate, run};
