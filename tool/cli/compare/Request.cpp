// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/compare/Request.h"

#include "report/compare/TrialsFile.h"
#include "runtime/protocol/WindowPlan.h"

#include <cmath>
#include <unistd.h>

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using namespace autoprof::analysis;
using llvm::StringRef;

namespace {

/// A self-test without a limit of its own measures instead of deciding.
constexpr size_t UsualRuns = 30, SelfTestRuns = 12;

llvm::Error readCount(const Arguments &A, StringRef Name, size_t &Out) {
  if (!A.has(Name))
    return llvm::Error::success();
  constexpr size_t Limit = 1000;
  if (StringRef(A.get(Name)).getAsInteger(10, Out) || Out < 1 || Out > Limit)
    return llvm::createStringError("--" + Name + " takes a number from 1 to " +
                                   llvm::Twine(Limit) + ", not '" +
                                   A.get(Name) + "'");
  return llvm::Error::success();
}

/// "1%" or "1" -> 0.01.
llvm::Error readPrecision(const Arguments &A, double &Out) {
  if (!A.has("precision"))
    return llvm::Error::success();
  double Value = 0;
  if (StringRef(A.get("precision")).rtrim('%').rtrim().getAsDouble(Value) ||
      !std::isfinite(Value) || Value < 0)
    return llvm::createStringError(
        "--precision takes a percentage such as 1%, not '" +
        A.get("precision") + "'");
  Out = Value / 100;
  return llvm::Error::success();
}

/// The grammar of `run --duration`.
llvm::Error readTime(const Arguments &A, std::optional<int64_t> &Out) {
  if (!A.has("time"))
    return llvm::Error::success();
  runtime::WindowWords Words;
  Words.Duration = A.get("time");
  runtime::WindowPlan Plan;
  std::string Problem;
  if (!parseWindow(Words,
                   {"--steps=", "--range=", "--delay=", "--time=", "--capture=",
                    "--max-size=", "--dump-signal=", "--unrecorded="},
                   Plan, Problem))
    return llvm::createStringError(Problem);
  Out = int64_t(Plan.DurationNs);
  return llvm::Error::success();
}

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

} // namespace

Commands cli::splitCommands(llvm::ArrayRef<StringRef> Args) {
  Commands Result;
  for (StringRef A : Args)
    if (A == "--")
      Result.emplace_back();
    else if (!Result.empty())
      Result.back().push_back(A.str());
  return Result;
}

llvm::Error cli::readLimits(const Arguments &A, Trials &T) {
  if (llvm::Error E = readCount(A, "runs", T.MostRuns))
    return E;
  if (llvm::Error E = readCount(A, "min-runs", T.LeastRuns))
    return E;
  return readPrecision(A, T.Precision);
}

llvm::Expected<Request> cli::readRequest(const Arguments &A,
                                         const Commands &Given) {
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
  if (A.has("cpus")) {
    llvm::Expected<CpuList> Cpus = chooseCpus(A.get("cpus"), allowedCpus());
    if (!Cpus)
      return Cpus.takeError();
    O.Cpus = *Cpus;
    for (unsigned C : O.Cpus)
      T.Cpus.push_back(std::to_string(C));
  }
  char Host[256] = "";
  if (!gethostname(Host, sizeof Host - 1))
    T.Host = Host;
  O.Folder = A.get("output", "autoprof-compare");
  return std::move(R);
}
