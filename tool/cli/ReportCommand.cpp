// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/SubCommands.h"
#include "cli/traces/RankInputs.h"
#include "commands/Commands.h"
#include "report/Output.h"
#include "report/recording/Annotate.h"
#include "report/recording/Formats.h"
#include "report/recording/RanksAnswer.h"
#include "report/recording/Sentences.h"
#include "trace/input/Inflate.h"
#include "trace/pftrace/TraceWriter.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;

namespace {

/// The recording as Perfetto reads it.
struct Packets {
  std::unique_ptr<llvm::MemoryBuffer> File; ///< What Bytes lie in, or Made.
  std::string Made;
  llvm::StringRef Bytes;
};

/// The file's own packets, unpacked; for another profiler's format, what was
/// read of it.
llvm::Error findPackets(const Analysed &Trace, Packets &P) {
  if (!Trace.T.Info.Source.Producer.empty()) {
    llvm::raw_string_ostream Out(P.Made);
    trace::writePftrace(Trace.T, Out);
    P.Bytes = P.Made;
    return llvm::Error::success();
  }
  auto Buffer = llvm::MemoryBuffer::getFile(Trace.Path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return llvm::createStringError("cannot read '" + Trace.Path +
                                   "': " + Buffer.getError().message());
  P.File = std::move(*Buffer);
  P.Bytes = P.File->getBuffer();
  if (P.Bytes.starts_with("\x1f\x8b"))
    P.Bytes = P.Made = trace::inflated(P.Bytes);
  // After a packet that is cut off, nothing could be read.
  P.Bytes = P.Bytes.drop_back(Trace.T.Unread.BytesDropped);
  return llvm::Error::success();
}

/// Writes a copy of the analyzed trace, with the results added, to `Path`. If
/// it fails, no file is left at `Path`, and the error names the file concerned.
llvm::Error annotateFile(const Analysed &Trace, const std::string &Path) {
  if (llvm::sys::fs::equivalent(Trace.Path, Path))
    return llvm::createStringError("--annotate names the trace '" + Trace.Path +
                                   "' itself; choose another file");
  Packets Found;
  if (llvm::Error Failed = findPackets(Trace, Found))
    return Failed;

  std::error_code E;
  llvm::ToolOutputFile Out(Path, E, llvm::sys::fs::OF_None);
  if (E)
    return llvm::createStringError("cannot write '" + Path +
                                   "': " + E.message());
  report::Input Reported{Trace.Path, Trace.T, Trace.R};
  if (llvm::Error Failed = report::annotate(Reported, Found.Bytes, Out.os()))
    return llvm::createStringError("cannot annotate '" + Trace.Path +
                                   "': " + llvm::toString(std::move(Failed)));
  Out.os().close();
  if (std::error_code Failure = Out.os().error()) {
    Out.os().clear_error();
    return llvm::createStringError("cannot write '" + Path +
                                   "': " + Failure.message());
  }
  Out.keep();
  return llvm::Error::success();
}

int reportOne(const Arguments &A, const StepChoice &Step,
              const catalogue::Semantics *Measured) {
  llvm::Expected<std::unique_ptr<Analysed>> Trace =
      analyseFile(A.Positional[0], Step, Measured);
  if (!Trace)
    return fail(llvm::toString(Trace.takeError()));
  const Analysed &One = **Trace;
  if (A.has("annotate"))
    if (llvm::Error E = annotateFile(One, A.get("annotate")))
      return fail(llvm::toString(std::move(E)));
  llvm::Expected<report::Output> Out = report::openOutput(A);
  if (!Out)
    return fail(llvm::toString(Out.takeError()));
  Out->Style.ByShape = A.has("by-shape");
  Out->Style.Profile = A.has("profile") || Out->Style.ByShape;

  report::Input Reported{One.Path, One.T, One.R};
  Out->write(report::ReportFormats, Reported);
  if (llvm::Error E = Out->finish())
    return fail(llvm::toString(std::move(E)));
  if (!A.has("exit-code"))
    return Fine;
  const std::optional<bool> Found = One.R.Decided.isWorthwhile();
  if (!Found)
    return fail("--exit-code: " + report::headline(Reported) +
                "; record the program with 'autoprof run'");
  return *Found ? Findings : Fine;
}

int reportRanks(const Arguments &A, const StepChoice &Step,
                const catalogue::Semantics *Measured) {
  llvm::Expected<std::vector<std::string>> Paths = expandFolders(A.Positional);
  if (!Paths)
    return fail(llvm::toString(Paths.takeError()));
  std::vector<report::Unreadable> Bad;
  analysis::Ranks R = readRanks(*Paths, Step, Measured, Bad);
  for (const report::Unreadable &U : Bad)
    llvm::errs() << "autoprof: " << U.Error << '\n';
  if (R.All.empty())
    return Failure;
  llvm::Expected<report::Output> Out = report::openOutput(A);
  if (!Out)
    return fail(llvm::toString(Out.takeError()));
  Out->write(report::RanksFormats, report::RanksInput{R, Bad});
  if (llvm::Error E = Out->finish())
    return fail(llvm::toString(std::move(E)));
  if (!A.has("exit-code"))
    return Fine;
  const std::optional<bool> Found = R.isWorthwhile();
  if (!Found)
    return fail("--exit-code: " + report::ranksAnswer(R) +
                " Record the run again");
  return *Found ? Findings : Fine;
}

int run(llvm::ArrayRef<llvm::StringRef> Args) {
  llvm::Expected<Arguments> A = parse(Args, commands::Report);
  if (!A)
    return failUsage(ReportCommand, llvm::toString(A.takeError()));
  if (A->Positional.empty() && llvm::sys::fs::exists(A->get("step")))
    return failUsage(ReportCommand, "report takes a trace, but --step took '" +
                                        A->get("step") +
                                        "' as the name of a step");
  if (A->Positional.empty())
    return failUsage(ReportCommand, "report takes a trace, or one of each rank "
                                    "of a run");
  for (const char *Option : {"profile", "annotate"})
    if (A->Positional.size() > 1 && A->has(Option))
      return failUsage(ReportCommand,
                       llvm::Twine("--") + Option + " takes one trace");
  llvm::Expected<std::unique_ptr<catalogue::Semantics>> Measured =
      openSemantics(*A);
  if (!Measured)
    return fail(llvm::toString(Measured.takeError()));
  llvm::Expected<StepChoice> Step = chooseStep(*A, /*ForPeople=*/true);
  if (!Step)
    return fail(llvm::toString(Step.takeError()));
  return A->Positional.size() == 1 && !holdsRanks(A->Positional[0])
             ? reportOne(*A, *Step, Measured->get())
             : reportRanks(*A, *Step, Measured->get());
}

} // namespace

const Command cli::ReportCommand = {commands::Report, run};
