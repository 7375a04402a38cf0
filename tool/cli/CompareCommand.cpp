// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `autoprof compare`: runs two programs in turn until it is clear whether one
// is faster.
#include "cli/Output.h"
#include "cli/SubCommands.h"
#include "cli/compare/Request.h"
#include "report/TextTable.h"
#include "report/compare/TrialsFile.h"
#include "report/compare/TrialsText.h"
#include "report/recording/Formats.h"
#include "report/recording/Proof.h"
#include "report/recording/Ranks.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using namespace autoprof::analysis;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {

/// What `git bisect run` takes for a revision that cannot be tested.
constexpr int CannotTest = 125;
/// The exit code after signal n is n more, as in shells.
constexpr int AfterSignal = 128;

const Option Known[] = {{"runs", 'n', true},
                        {"min-runs", 0, true},
                        {"precision", 0, true},
                        {"time", 0, true},
                        {"metric", 0, true},
                        {"step", 0, true},
                        {"record-steps", 0, true},
                        {"cpus", 0, true},
                        {"env", 0, true},
                        {"base-env", 0, true},
                        {"new-env", 0, true},
                        {"baseline", 0, true},
                        {"from", 0, true},
                        {"self-test"},
                        {"compare-output"},
                        {"ignore-failure", 'i'},
                        {"bisect"},
                        {"output", 'o', true},
                        {"format", 0, true},
                        {"color", 0, true}};

/// For the files: exists afterwards.
llvm::Error makeFolder(const std::string &Path) {
  if (std::error_code E = fs::create_directories(Path))
    return llvm::createStringError("cannot make the folder '" + Path +
                                   "': " + E.message());
  return llvm::Error::success();
}

std::string inFolder(const std::string &Folder, StringRef Name) {
  llvm::SmallString<256> Path(Folder);
  llvm::sys::path::append(Path, Name);
  return Path.str().str();
}

llvm::Error writeFile(const std::string &Path,
                      llvm::function_ref<void(llvm::raw_ostream &)> Write) {
  std::error_code E;
  llvm::raw_fd_ostream Out(Path, E);
  if (!E) {
    Write(Out);
    Out.close();
    E = Out.error();
    Out.clear_error();
  }
  return E ? llvm::createStringError("cannot write '" + Path +
                                     "': " + E.message())
           : llvm::Error::success();
}

constexpr report::FormatName FormatNames[] = {
    {"terminal"}, {"markdown"}, {"json"}};

/// `D`: of the recordings; null without both.
void writeJson(llvm::raw_ostream &OS, const Trials &T,
               const std::optional<TrialsJudged> &J, const Difference *D) {
  report::writeTrials(OS, T, J ? &*J : nullptr, [D](llvm::json::OStream &Json) {
    report::writeProof(Json, D);
  });
}

void printAnswer(Output &Out, const Trials &T,
                 const std::optional<TrialsJudged> &J, const Difference *D) {
  llvm::raw_ostream &OS = Out.stream();
  if (Out.Format == "json") {
    writeJson(OS, T, J, D);
    return;
  }
  std::vector<std::string> Lines;
  if (J && !T.SelfTest)
    Lines.push_back(report::trialsSentence(T, *J));
  if (T.SelfTest)
    llvm::append_range(Lines, report::selfTestLines(T));
  else if (J)
    llvm::append_range(Lines, report::trialsNotes(T, *J));
  else
    Lines.push_back("Too few runs to compare.");
  for (const std::string &Line : Lines)
    if (Out.Format == "markdown")
      OS << report::escapeMarkdown(Line) << "\n\n";
    else
      report::printWrapped(OS, Line, 0, Out.Style.Width);
  if (!D || T.SelfTest)
    return;
  if (Out.Format == "markdown")
    report::writeProofMarkdown(OS, *D, Out.Style);
  else
    report::writeProofTerminal(OS, *D, Out.Style);
}

/// What the recordings and the runs show together; nullopt without a recording
/// of each side.
std::optional<Difference> compareRecordings(Session &S, const Trials &T) {
  if (T.SelfTest || T.Stored || !S.recording(false) || !S.recording(true))
    return std::nullopt;
  // diff reads them with their own names from the folder.
  std::vector<RunSummary> Base, New;
  Base.push_back(report::summarise(S.recording(false)->input()));
  New.push_back(report::summarise(S.recording(true)->input()));
  Difference D = analysis::compare(std::move(Base), std::move(New));
  useTrials(D, T);
  D.Predicted = comparePrediction(D);
  return D;
}

/// compare.json, and what `autoprof diff` would print of it.
llvm::Error writeFiles(const std::string &Folder, const Trials &T,
                       const std::optional<TrialsJudged> &J,
                       const Difference *D, Session &S) {
  if (llvm::Error E =
          writeFile(inFolder(Folder, "compare.json"),
                    [&](llvm::raw_ostream &OS) { writeJson(OS, T, J, D); }))
    return E;
  const std::string Text = inFolder(Folder, "diff.txt");
  if (!D) {
    fs::remove(Text); // Of an earlier comparison.
    return llvm::Error::success();
  }
  return writeFile(Text, [D, &S](llvm::raw_ostream &OS) {
    report::writeDiffTerminal(
        OS, {*D, S.recording(false)->input(), S.recording(true)->input()}, {});
  });
}

int exitCode(const Trials &T, const std::optional<TrialsJudged> &J) {
  return J && !T.SelfTest && J->Differs && J->Change > 0 ? Findings : Fine;
}

/// Decides again about runs that were made before, as if they came one after
/// the other.
int replay(const Arguments &A) {
  llvm::Expected<Trials> Stored = report::readTrials(A.get("from"));
  if (!Stored)
    return fail(llvm::toString(Stored.takeError()));
  Trials &T = *Stored;
  if (llvm::Error Wrong = readLimits(A, T))
    return failUsage(CompareCommand, llvm::toString(std::move(Wrong)));
  llvm::Expected<Output> Out = openOutput(A, FormatNames);
  if (!Out)
    return fail(llvm::toString(Out.takeError()));
  const std::vector<Trial> All = std::exchange(T.Runs, {});
  const StoppingPlan Plan(T.isFixed() ? std::vector<Look>()
                                      : alternatingLooks(T.MostRuns));
  std::optional<TrialsJudged> J;
  for (size_t I = 0; I < All.size() && T.Runs.size() < 2 * T.MostRuns; ++I) {
    T.Runs.push_back(All[I]);
    if (T.isFixed() || T.Runs.size() % 4 || T.times(true).size() < T.LeastRuns)
      continue;
    J = judge(T, Plan);
    if (J && (J->Differs || J->ShowsNone))
      break;
  }
  if (T.isFixed())
    J = judge(T, StoppingPlan(T.looks()));
  markDisturbed(T);
  printAnswer(*Out, T, J, nullptr);
  if (llvm::Error E = Out->finish())
    return fail(llvm::toString(std::move(E)));
  return exitCode(T, J);
}

int compareRuns(const Arguments &A, Request R) {
  Trials &T = R.T;
  const std::string Folder = R.Options.Folder;
  if (llvm::Error E = makeFolder(Folder))
    return fail(llvm::toString(std::move(E)));
  Session S(std::move(R.Options), T);
  llvm::Error Problem = S.record();
  if (!Problem)
    Problem = S.measure();
  if (Problem && S.interrupted()) {
    llvm::consumeError(std::move(Problem));
    fail("interrupted before there were runs to compare");
    return AfterSignal + S.interrupted();
  }
  if (Problem) {
    bool IsNew = false;
    Problem = llvm::handleErrors(std::move(Problem),
                                 [&IsNew](std::unique_ptr<SideFailure> F) {
                                   IsNew = F->IsNew;
                                   return llvm::Error(std::move(F));
                                 });
    fail(llvm::toString(std::move(Problem)));
    return A.has("bisect") && IsNew ? CannotTest : Failure;
  }
  llvm::Expected<Output> Out = openOutput(A, FormatNames);
  if (!Out)
    return fail(llvm::toString(Out.takeError()));
  const std::optional<TrialsJudged> J = judge(T, StoppingPlan(T.looks()));
  const std::optional<Difference> D = compareRecordings(S, T);
  if (llvm::Error E = writeFiles(Folder, T, J, D ? &*D : nullptr, S))
    return fail(llvm::toString(std::move(E)));
  printAnswer(*Out, T, J, D ? &*D : nullptr);
  if (llvm::Error E = Out->finish())
    return fail(llvm::toString(std::move(E)));
  const std::string File = inFolder(Folder, "compare.json");
  llvm::errs() << "autoprof: wrote " << File
               << (D ? " and diff.txt; next: autoprof diff "
                     : "; next: autoprof diff ")
               << File << '\n';
  if (!S.interrupted())
    return exitCode(T, J);
  llvm::errs() << "autoprof: interrupted after " << T.Runs.size() << " runs\n";
  return AfterSignal + S.interrupted();
}

int run(llvm::ArrayRef<StringRef> Args) {
  const auto *Split = llvm::find(Args, "--");
  llvm::Expected<Arguments> A =
      parse(Args.take_front(size_t(Split - Args.begin())), Known);
  if (!A)
    return failUsage(CompareCommand, llvm::toString(A.takeError()));
  if (!A->Positional.empty())
    return failUsage(CompareCommand,
                     "'" + A->Positional[0] +
                         "' is not an option; programs come after '--'");
  if (A->has("from"))
    return replay(*A);
  llvm::Expected<Request> R = readRequest(
      *A, splitCommands(Args.drop_front(size_t(Split - Args.begin()))));
  if (!R)
    return failUsage(CompareCommand, llvm::toString(R.takeError()));
  // -o is a folder here: openOutput() must not write there.
  A->Options.erase("output");
  return compareRuns(*A, std::move(*R));
}

} // namespace

const Command cli::CompareCommand = {
    "compare", "two programs, run in turn until the answer is clear",
    "Usage: autoprof compare [OPTIONS] -- ./base [ARGUMENTS] -- ./new "
    "[ARGUMENTS]\n"
    "       autoprof compare [OPTIONS] --new-env=NAME=VALUE -- ./program\n"
    "       autoprof compare [OPTIONS] --baseline=FILE -- ./new\n"
    "       autoprof compare [OPTIONS] --self-test -- ./program\n"
    "\n"
    "Runs both programs in turn (A B B A ...) and compares their step times. "
    "The\n"
    "first run of each is recorded, shows what the steps are, and is not\n"
    "compared; the others are not recorded. A change is claimed only where it\n"
    "stands out from how much runs of one program differ; what a launch costs\n"
    "each process is taken into account. It stops when the answer is clear or\n"
    "precise enough. A program without steps is timed as a whole.\n"
    "\n"
    "Options:\n"
    "  -n, --runs=N      at most N runs per side; default 30\n"
    "  --min-runs=N      at least N runs per side\n"
    "  --precision=P     stop when the 95 % interval is within P % of the\n"
    "                    estimate; default 1\n"
    "  --time=TIME       start no run after this time: 90s, 5m\n"
    "  --metric=METRIC   step (the default), or wall: the whole process\n"
    "  --step=NAME       what a step is: function:NAME, loop:FILE:LINE or\n"
    "                    range:NAME; default: as 'report' finds it\n"
    "  --record-steps=FROM:TO\n"
    "                    record only these steps of the first runs; needs "
    "--step\n"
    "  --cpus=LIST       run both sides on these CPUs only; auto: four cores "
    "near\n"
    "                    the GPU, auto:N: N of them\n"
    "  --env=NAME=VALUE, --base-env=..., --new-env=...\n"
    "                    set a variable for both sides, or one; may be "
    "repeated\n"
    "  --baseline=FILE   compare with the runs in FILE, of an earlier "
    "comparison,\n"
    "                    instead of running the base\n"
    "  --self-test       compare a program with itself: how much its runs "
    "differ\n"
    "  --from=FILE       decide again about the runs in FILE; run nothing\n"
    "  --compare-output  compare what both write to standard output, too\n"
    "  -i, --ignore-failure\n"
    "                    compare programs that exit with a code other than 0\n"
    "  --bisect          exit with 125 when the new program cannot be run or\n"
    "                    fails, for 'git bisect run'\n"
    "  -o, --output=FOLDER\n"
    "                    for compare.json, base.pftrace and new.pftrace; "
    "default:\n"
    "                    autoprof-compare\n"
    "  --format=FORMAT   terminal (the default), markdown or json\n"
    "  --color=WHEN      auto, always or never\n"
    "\n"
    "Exit codes: 0 not slower, 1 slower, 2 wrong usage or a failure.\n"
    "\n"
    "Examples:\n"
    "  autoprof compare -- ./train --loss print -- ./train --loss deferred\n"
    "  autoprof compare --precision=0.5% --cpus=auto -- ./old -- ./new\n"
    "  autoprof compare --self-test -- ./train\n"
    "  autoprof diff autoprof-compare/compare.json\n"
    "  git bisect run sh -c 'make || exit 125; exec autoprof compare --bisect "
    "-- \\\n"
    "    /path/to/good/train -- ./train'\n",
    run};
