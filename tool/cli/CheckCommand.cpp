// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/SubCommands.h"
#include "cli/compare/Limits.h"
#include "cli/traces/Analysed.h"
#include "commands/Commands.h"
#include "report/Output.h"
#include "report/check/BaselineFile.h"
#include "report/check/Check.h"
#include "report/compare/TrialsFile.h"
#include "report/recording/Ranks.h"
#include "support/ReplaceFile.h"

#include "llvm/ADT/StringExtras.h"

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;

namespace {

using Traces = std::vector<analysis::RunSummary>;

/// --only: the other rules are left out.
llvm::Error readRules(const Arguments &A, analysis::CheckLimits &L) {
  if (!A.has("only"))
    return llvm::Error::success();
  L.Left.set();
  const std::string Text = A.get("only");
  for (llvm::StringRef Name : llvm::split(Text, ',')) {
    size_t Rule = 0;
    while (Rule < analysis::NumCheckRules &&
           Name != analysis::name(analysis::CheckRule(Rule)))
      ++Rule;
    if (Rule == analysis::NumCheckRules)
      return llvm::createStringError(
          "--only takes new-wait, more-stall or slowdown, or several of "
          "these separated by commas; not '" +
          Name + "'");
    L.Left.reset(Rule);
  }
  return llvm::Error::success();
}

llvm::Expected<analysis::CheckLimits> readLimits(const Arguments &A) {
  analysis::CheckLimits L;
  if (llvm::Error E = readShare(A, "max-new-wait", L.NewWait))
    return std::move(E);
  if (llvm::Error E = readShare(A, "max-more-stall", L.MoreStall))
    return std::move(E);
  if (llvm::Error E = readShare(A, "max-slowdown", L.Slowdown))
    return std::move(E);
  if (llvm::Error E = readRules(A, L))
    return std::move(E);
  L.Strict = A.has("strict");
  return L;
}

/// How much runs of the program vary, measured in other runs.
llvm::Expected<analysis::RunSpread> readNoise(const Arguments &A) {
  if (!A.has("noise"))
    return analysis::RunSpread();
  llvm::Expected<analysis::Trials> T = report::readTrials(A.get("noise"));
  if (!T)
    return T.takeError();
  const analysis::RunSpread Spread = analysis::spreadOf(*T);
  if (T->Metric != analysis::TrialMetric::Step || !Spread.isKnown())
    return llvm::createStringError("'" + A.get("noise") +
                                   "' has no step times of several runs of one "
                                   "program; 'autoprof compare --self-test' "
                                   "measures them");
  return Spread;
}

/// Whether the user says which steps of the traces are those of the baseline.
llvm::Expected<bool> readBaseStep(const Arguments &A,
                                  const analysis::Baseline &B) {
  if (!A.has("base-step"))
    return false;
  if (analysis::isStepOf(B, A.get("base-step")))
    return true;
  const std::string Name = analysis::stepName(B);
  return llvm::createStringError("the steps of the baseline are " +
                                 (Name.empty() ? B.Source : Name) + ", not '" +
                                 A.get("base-step") + "', as --base-step says");
}

/// One trace at a time. Their steps are those of `B`, which may be null, or of
/// the first of them.
llvm::Expected<Traces> readTraces(const Arguments &A,
                                  const catalogue::Semantics *Measured,
                                  const analysis::Baseline *B) {
  llvm::Expected<StepChoice> Step = chooseStep(A);
  if (!Step)
    return Step.takeError();
  Traces All;
  for (const std::string &Path : A.Positional) {
    llvm::Expected<std::unique_ptr<Analysed>> Trace =
        analyseFile(Path, *Step, Measured);
    if (!Trace)
      return Trace.takeError();
    Analysed &One = **Trace;
    if (Step->Name.empty() && (B || !All.empty()))
      analysis::alignSteps(B ? analysis::stepSiteIn(*B, One.T)
                             : All[0].R.Steps.Site,
                           One.T, One.R);
    All.push_back(report::summarise(inputOf(One)));
    if (llvm::Error E = analysis::checkUsable(All.back()))
      return std::move(E);
  }
  return All;
}

int update(const Arguments &A, const std::string &Path,
           const catalogue::Semantics *Measured,
           const analysis::RunSpread &Noise) {
  llvm::Expected<Traces> All = readTraces(A, Measured, nullptr);
  if (!All)
    return fail(All.takeError());
  analysis::Baseline B = analysis::makeBaseline(*All);
  B.Noise = Noise;
  if (llvm::Error E =
          replaceFile("the baseline", Path, [&](llvm::raw_ostream &Out) {
            report::writeBaseline(Out, B);
          }))
    return fail(std::move(E));
  llvm::outs() << "wrote " << Path << ' ' << report::baselineSentence(B)
               << '\n';
  return Fine;
}

int run(Arguments &A) {
  if (A.Positional.empty())
    return failUsage(CheckCommand, "check takes a trace, or several of one "
                                   "program: repeated runs, or the ranks of "
                                   "one");
  llvm::Expected<analysis::CheckLimits> Limits = readLimits(A);
  if (!Limits)
    return failUsage(CheckCommand, Limits.takeError());
  llvm::Expected<std::unique_ptr<catalogue::Semantics>> Measured =
      openSemantics(A);
  if (!Measured)
    return fail(Measured.takeError());
  llvm::Expected<analysis::RunSpread> Noise = readNoise(A);
  if (!Noise)
    return fail(Noise.takeError());
  const std::string Path = A.get("baseline", ".autoprof-baseline");
  if (A.has("update") && A.has("base-step"))
    return failUsage(CheckCommand, "--base-step has no effect with --update, "
                                   "which writes a new baseline; select its "
                                   "steps with --step");
  if (A.has("update"))
    return update(A, Path, Measured->get(), *Noise);

  llvm::Expected<analysis::Baseline> B = report::readBaseline(Path);
  if (!B)
    return fail(B.takeError());
  llvm::Expected<bool> AreSame = readBaseStep(A, *B);
  if (!AreSame)
    return fail(AreSame.takeError());
  llvm::Expected<Traces> All =
      readTraces(A, Measured->get(), *AreSame ? nullptr : &*B);
  if (!All)
    return fail(All.takeError());
  llvm::Expected<analysis::CheckResult> R =
      analysis::check(*B, *All, *Limits, *Noise, *AreSame);
  if (!R)
    return fail(R.takeError());

  const report::CheckInput Reported{Path, *B, *All, *R, *Limits};
  if (llvm::Error E = report::print(A, report::CheckFormats, Reported))
    return fail(std::move(E));
  return R->Passed ? Fine : Findings;
}

} // namespace

const Command cli::CheckCommand = {commands::Check, nullptr, run};
