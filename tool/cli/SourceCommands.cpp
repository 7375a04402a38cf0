// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The subcommands that read sources. They need clang, which this program must
// not depend on, so autoprof-source (tool/source-cli) implements them.
#include "cli/SubCommands.h"
#include "cli/traces/RankInputs.h"
#include "commands/Commands.h"
#include "config/ErrorKind.h"
#include "prices/Prices.h"
#include "report/recording/Formats.h"
#include "support/Launch.h"
#include "support/Paths.h"
#include "trace/import/Format.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {

/// autoprof-source next to this program.
llvm::Expected<std::string> findReader() {
  const std::string Path = installed("autoprof-source");
  if (!fs::exists(Path))
    return llvm::createStringError(
        "this command reads sources, for which '" + Path +
        "' is missing; build or install autoprof as a whole");
  return Path;
}

int runReader(StringRef Name, std::vector<std::string> Args) {
  llvm::Expected<std::string> Reader = findReader();
  if (!Reader)
    return fail(Reader.takeError());
  std::vector<std::string> Command{*Reader, Name.str()};
  llvm::append_range(Command, Args);
  llvm::Expected<int> Code = launch(*Reader, Command);
  if (!Code)
    return fail(Code.takeError());
  // The exit code of the dynamic loader, which has reported what is missing.
  if (*Code == 127)
    return fail("'" + *Reader +
                "' cannot start; install clang 22 (libclang-cpp22)");
  return *Code;
}

std::vector<std::string> strings(llvm::ArrayRef<StringRef> Args) {
  return std::vector<std::string>(Args.begin(), Args.end());
}

bool isReportFile(const std::string &Path) {
  auto Start = llvm::MemoryBuffer::getFileSlice(Path, 512, 0);
  return Start && prices::isReport((*Start)->getBuffer());
}

/// A file in memory, which a child that is started later can open.
class MemoryFile {
public:
  static llvm::Expected<MemoryFile> create() {
    const int Handle = memfd_create("autoprof-report", 0);
    if (Handle < 0)
      return llvm::createStringError(
          llvm::Twine("cannot make a file in memory: ") + std::strerror(errno));
    return MemoryFile(Handle);
  }
  int handle() const { return Handle; }
  std::string path() const { return "/proc/self/fd/" + std::to_string(Handle); }

private:
  explicit MemoryFile(int Handle) : Handle(Handle) {}
  int Handle;
};

/// The path of the recording's report.
llvm::Expected<std::string> makeReport(const std::string &Trace,
                                       const StepChoice &Step,
                                       const catalogue::Semantics *Measured) {
  if (fs::is_regular_file(Trace) && isReportFile(Trace))
    return Trace;
  if (holdsRanks(Trace))
    return llvm::createStringError(
        "'" + Trace +
        "' is a summary, which has no price for each call; give --prices the "
        "traces, or reports in JSON");
  llvm::Expected<std::unique_ptr<Analysed>> Recording =
      analyseFile(Trace, Step, Measured);
  if (!Recording) {
    llvm::Error E = Recording.takeError();
    if (!E.isA<ErrorOf<trace::Format>>())
      return std::move(E);
    llvm::consumeError(std::move(E));
    return llvm::createStringError(
        "'" + Trace +
        "' is not a recording; --prices takes .pftrace files, folders that "
        "hold them, traces of other profilers, and reports in JSON ('autoprof "
        "report --format=json')");
  }
  llvm::Expected<MemoryFile> File = MemoryFile::create();
  if (!File)
    return File.takeError();
  llvm::raw_fd_ostream Out(File->handle(), /*shouldClose=*/false);
  report::writeReportJson(Out, inputOf(**Recording), {});
  Out.flush();
  if (Out.has_error()) {
    const std::string Reason = Out.error().message();
    Out.clear_error();
    return llvm::createStringError("cannot keep the report of '" + Trace +
                                   "': " + Reason);
  }
  return File->path();
}

/// For `audit --prices=TRACE`: the arguments for bin/autoprof-source. Each
/// --prices names a report, those made here in memory that the child inherits;
/// without --step, which is about traces. An error is one sentence.
llvm::Expected<std::vector<std::string>>
priceArguments(llvm::ArrayRef<StringRef> Args) {
  llvm::Expected<Arguments> A = parse(Args, commands::Audit);
  if (!A) { // The program that reads sources says what is wrong.
    llvm::consumeError(A.takeError());
    return strings(Args);
  }
  std::vector<std::string> Given, Rest;
  for (const auto &[Name, Value] : A->Given)
    if (Name == "prices")
      Given.push_back(Value);
    else if (Name != "step")
      Rest.push_back("--" + Name + (Value.empty() ? "" : "=" + Value));
  // parse() counts what comes after "--" as positional.
  const llvm::ArrayRef<StringRef> Command =
      Args.drop_front(llvm::find(Args, "--") - Args.begin());
  const size_t Files =
      A->Positional.size() - (Command.empty() ? 0 : Command.size() - 1);
  llvm::append_range(Rest, llvm::ArrayRef(A->Positional).take_front(Files));
  llvm::append_range(Rest, strings(Command));
  if (Given.empty()) {
    if (A->has("step"))
      return llvm::createStringError(
          "--step needs --prices: it is about the steps of recordings");
    return Rest;
  }
  auto Measured = support::openSemantics(*A);
  if (!Measured)
    return Measured.takeError();
  llvm::Expected<StepChoice> Step = chooseStep(*A);
  if (!Step)
    return Step.takeError();
  llvm::Expected<std::vector<std::string>> Traces = expandFolders(Given);
  if (!Traces)
    return Traces.takeError();
  std::vector<std::string> Result;
  for (const std::string &Trace : *Traces) {
    llvm::Expected<std::string> Report =
        makeReport(Trace, *Step, Measured->get());
    if (!Report)
      return Report.takeError();
    Result.push_back("--prices=" + *Report);
  }
  llvm::append_range(Result, Rest);
  return Result;
}

/// Traces are read here, and sources there.
int runAudit(llvm::ArrayRef<StringRef> Args) {
  llvm::Expected<std::vector<std::string>> Priced = priceArguments(Args);
  if (!Priced)
    return fail(Priced.takeError());
  return runReader("audit", std::move(*Priced));
}

} // namespace

int cli::makePatch(const Arguments &A, const std::string &Tried) {
  std::vector<std::string> Args;
  if (A.has("build"))
    Args.push_back("--build=" + A.get("build"));
  if (!Tried.empty())
    Args.insert(Args.end(), {"--try=" + Tried, "--into=" + A.get("patch")});
  return runReader("patch", std::move(Args));
}

const Command cli::RewriteCommand = {
    commands::Rewrite, [](llvm::ArrayRef<StringRef> Args) {
      return runReader("rewrite", strings(Args));
    }};

const Command cli::SourcesCommand = {
    commands::Sources, [](llvm::ArrayRef<StringRef> Args) {
      return runReader("sources", strings(Args));
    }};

const Command cli::AuditCommand = {commands::Audit, runAudit};
