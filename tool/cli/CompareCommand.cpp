// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `autoprof compare`: runs two programs in turn until it is clear whether one
// is faster.
#include "cli/SubCommands.h"
#include "cli/compare/Limits.h"
#include "cli/compare/Session.h"
#include "commands/Commands.h"
#include "report/Output.h"
#include "report/compare/TrialsFile.h"
#include "report/compare/TrialsText.h"
#include "report/document/Renderings.h"
#include "report/recording/DiffText.h"
#include "report/recording/Ranks.h"

#include <unistd.h>

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using namespace autoprof::analysis;
using llvm::StringRef;

namespace {

/// The exit code by which `git bisect run` skips a revision.
constexpr int CannotTest = 125;

using Commands = std::vector<std::vector<std::string>>;

/// A self-test without a limit of its own measures instead of deciding.
constexpr size_t UsualRuns = 30, SelfTestRuns = 12;

constexpr size_t MostCount = 1000;

llvm::Error readEnvironment(const Arguments &A, Trials &T) {
  for (const auto &[Name, Value] : A.Given) {
    if (!StringRef(Name).ends_with("env"))
      continue;
    auto [Variable, Text] = StringRef(Value).split('=');
    if (Variable.empty() || !StringRef(Value).contains('='))
      return llvm::createStringError("--" + Name + " takes NAME=VALUE, not '" +
                                     Value + "'");
    if (Name != "new-env")
      T.Base.Environment[Variable.str()] = Text.str();
    if (Name != "base-env")
      T.New.Environment[Variable.str()] = Text.str();
  }
  return llvm::Error::success();
}

/// The commands of both sides.
llvm::Error readSides(const Arguments &A, const Commands &Given, Trials &T) {
  for (const std::vector<std::string> &C : Given)
    if (C.empty())
      return llvm::createStringError("there is no program after '--'");
  T.SelfTest = A.has("self-test");
  if (Given.size() > 2)
    return llvm::createStringError(
        "compare takes two programs, each after '--'; put one that has '--' "
        "among its arguments into a script");
  if (A.has("baseline")) {
    if (Given.size() != 1 || T.SelfTest)
      return llvm::createStringError(
          "--baseline takes the place of the base: name one program, the new "
          "one");
    llvm::Expected<Trials> Stored = report::readTrials(A.get("baseline"));
    if (!Stored)
      return Stored.takeError();
    T.Stored = true;
    T.Metric = Stored->Metric;
    T.Base = Stored->Base;
    T.Base.Recording.clear();
    // The new program of that comparison is the base of this one.
    const bool TakeNew = !Stored->SelfTest && !Stored->times(true).empty();
    if (TakeNew)
      T.Base = Stored->New;
    for (Trial &R : Stored->Runs)
      if (Stored->SelfTest || R.IsNew == TakeNew) {
        R.IsNew = false;
        T.Runs.push_back(std::move(R));
      }
    T.New.Command = Given[0];
    return llvm::Error::success();
  }
  if (Given.empty())
    return llvm::createStringError(
        "compare needs two programs: autoprof compare -- ./base -- ./new");
  T.Base.Command = Given.front();
  T.New.Command = Given.back();
  const bool SameProgram = Given.size() == 1;
  if (SameProgram && !T.SelfTest && T.Base.Environment == T.New.Environment)
    return llvm::createStringError(
        "compare needs two programs, each after '--', or one with --base-env, "
        "--new-env or --self-test");
  if (T.SelfTest && (!SameProgram || T.Base.Environment != T.New.Environment))
    return llvm::createStringError("--self-test compares a program with "
                                   "itself: name one");
  return llvm::Error::success();
}

/// What follows each "--".
Commands splitCommands(llvm::ArrayRef<StringRef> Args) {
  Commands Result;
  for (StringRef A : Args)
    if (A == "--")
      Result.emplace_back();
    else if (!Result.empty())
      Result.back().push_back(A.str());
  return Result;
}

/// --runs, --min-runs and --precision. An error, here and below, is one
/// sentence about wrong usage.
llvm::Error readLimits(const Arguments &A, Trials &T) {
  if (llvm::Error E = readCount(A, "runs", MostCount, T.MostRuns))
    return E;
  if (llvm::Error E = readCount(A, "min-runs", MostCount, T.LeastRuns))
    return E;
  return readShare(A, "precision", T.Precision);
}

struct Request {
  Trials T;
  SessionOptions Options;
};

llvm::Expected<Request> readRequest(const Arguments &A, const Commands &Given) {
  Request R;
  Trials &T = R.T;
  if (llvm::Error E = readEnvironment(A, T))
    return std::move(E);
  if (llvm::Error E = readSides(A, Given, T))
    return std::move(E);
  T.MostRuns = T.SelfTest ? SelfTestRuns : UsualRuns;
  if (llvm::Error E = readLimits(A, T))
    return std::move(E);
  if (T.SelfTest && !A.has("min-runs"))
    T.LeastRuns = T.MostRuns;
  if (!T.isFixed()) {
    T.MostRuns += T.MostRuns % 2; // Blocks of A B B A.
    if (T.MostRuns > MostAlternating)
      return llvm::createStringError(
          "more than " + llvm::Twine(MostAlternating) +
          " runs per side need as many as --min-runs");
  }
  SessionOptions &O = R.Options;
  if (llvm::Error E = readTime(A, O.TimeLimit))
    return std::move(E);
  const std::string Metric = A.get("metric", "step");
  if (Metric != "step" && Metric != "wall")
    return llvm::createStringError("--metric takes step or wall, not '" +
                                   Metric + "'");
  O.WallOnly = Metric == "wall";
  llvm::Expected<StepChoice> Step = chooseStep(A);
  if (!Step)
    return Step.takeError();
  O.Step = *Step;
  O.RecordSteps = A.get("record-steps");
  O.CompareOutput = A.has("compare-output");
  O.IgnoreFailure = A.has("ignore-failure");
  char Host[256] = "";
  if (!gethostname(Host, sizeof Host - 1))
    T.Host = Host;
  O.Folder = A.get("output", "autoprof-compare");
  return std::move(R);
}

/// `D`: of the recordings; null without both.
report::Document answer(const Trials &T, const std::optional<TrialsJudged> &J,
                        const Difference *D) {
  report::Document Doc;
  Doc.Title = "autoprof: comparison";
  if (T.SelfTest) {
    for (const std::string &Line : report::selfTestLines(T))
      Doc.Answer.say(Line);
    return Doc;
  }
  if (!J)
    Doc.Answer.say("Too few runs to compare.", report::Paragraph::Answer);
  else
    Doc.Answer.say(report::trialsSentence(T, *J), report::Paragraph::Answer);
  if (J)
    for (const std::string &Line : report::trialsNotes(T, *J))
      Doc.Answer.say(Line);
  if (D)
    Doc.Sections.push_back(report::proofSection(*D));
  return Doc;
}

void printAnswer(report::Output &Out, const Trials &T,
                 const std::optional<TrialsJudged> &J, const Difference *D) {
  if (Out.Format == "json")
    report::writeTrials(Out.stream(), T, J ? &*J : nullptr);
  else
    Out.write(report::Renderings, answer(T, J, D));
}

/// What the recordings and the runs show together; nullopt without a recording
/// of each side.
std::optional<Difference> compareRecordings(Session &S, const Trials &T) {
  if (T.SelfTest || T.Stored || !S.recording(false) || !S.recording(true))
    return std::nullopt;
  // diff reads them with their own names from the folder.
  std::vector<RunSummary> Base, New;
  Base.push_back(report::summarise(inputOf(*S.recording(false))));
  New.push_back(report::summarise(inputOf(*S.recording(true))));
  Difference D = analysis::compare(std::move(Base), std::move(New));
  useTrials(D, T);
  return D;
}

int exitCode(const Trials &T, const std::optional<TrialsJudged> &J) {
  return J && !T.SelfTest && J->Differs && J->Change > 0 ? Findings : Fine;
}

/// Decides again about earlier runs, as if they came one after the other.
int replay(const Arguments &A) {
  llvm::Expected<Trials> Stored = report::readTrials(A.get("from"));
  if (!Stored)
    return fail(Stored.takeError());
  Trials &T = *Stored;
  if (llvm::Error Wrong = readLimits(A, T))
    return failUsage(CompareCommand, std::move(Wrong));
  llvm::Expected<report::Output> Out = report::openOutput(A);
  if (!Out)
    return fail(Out.takeError());
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
  printAnswer(*Out, T, J, nullptr);
  if (llvm::Error E = Out->finish())
    return fail(std::move(E));
  return exitCode(T, J);
}

int compareRuns(const Arguments &A, Request R) {
  Trials &T = R.T;
  const std::string Folder = R.Options.Folder;
  if (llvm::Error E = makeFolder(Folder))
    return fail(std::move(E));
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
    fail(std::move(Problem));
    return A.has("bisect") && IsNew ? CannotTest : Failure;
  }
  llvm::Expected<report::Output> Out = report::openOutput(A);
  if (!Out)
    return fail(Out.takeError());
  const std::optional<TrialsJudged> J = judge(T, StoppingPlan(T.looks()));
  const std::optional<Difference> D = compareRecordings(S, T);
  const std::string File = inFolder(Folder, "compare.json");
  if (llvm::Error E = writeFile(File, [&](llvm::raw_ostream &OS) {
        report::writeTrials(OS, T, J ? &*J : nullptr);
      }))
    return fail(std::move(E));
  printAnswer(*Out, T, J, D ? &*D : nullptr);
  if (llvm::Error E = Out->finish())
    return fail(std::move(E));
  llvm::errs() << "autoprof: wrote " << File << "; next: autoprof diff " << File
               << '\n';
  if (!S.interrupted())
    return exitCode(T, J);
  llvm::errs() << "autoprof: interrupted after " << T.Runs.size() << " runs\n";
  return AfterSignal + S.interrupted();
}

int run(llvm::ArrayRef<StringRef> Args) {
  const auto *Split = llvm::find(Args, "--");
  llvm::Expected<Arguments> A =
      parse(Args.take_front(size_t(Split - Args.begin())), commands::Compare);
  if (!A)
    return failUsage(CompareCommand, A.takeError());
  if (!A->Positional.empty())
    return failUsage(CompareCommand,
                     "'" + A->Positional[0] +
                         "' is not an option; programs come after '--'");
  if (A->has("from"))
    return replay(*A);
  llvm::Expected<Request> R = readRequest(
      *A, splitCommands(Args.drop_front(size_t(Split - Args.begin()))));
  if (!R)
    return failUsage(CompareCommand, R.takeError());
  // -o is a folder here: openOutput() must not write there.
  A->Options.erase("output");
  return compareRuns(*A, std::move(*R));
}

} // namespace

const Command cli::CompareCommand = {commands::Compare, run};
