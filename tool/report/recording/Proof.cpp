// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Proof.h"

#include "report/Format.h"
#include "report/compare/TrialsText.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

const char *runsOf(PredictedRuns Of) {
  switch (Of) {
  case PredictedRuns::Recorded:
    return "of recorded runs";
  case PredictedRuns::Unrecorded:
    return "of unrecorded runs";
  case PredictedRuns::Scaled:
    return "of unrecorded runs, scaled from recorded ones because the "
           "recorder's cost is unknown";
  }
  return "";
}

std::string predictedText(const Difference &D) {
  const Prediction &P = *D.Predicted;
  if (P.isEmpty())
    return "nothing, because no stall of the base went away";
  const auto Names = [&D](const std::vector<size_t> &Sites) {
    std::vector<std::string> All;
    for (size_t I : Sites)
      All.push_back(siteName(D.Sites[I]));
    return llvm::join(All, ", ");
  };
  std::vector<std::string> Changes;
  if (!P.Sites.empty())
    Changes.push_back("without the waits of " + Names(P.Sites));
  if (!P.Pinned.empty())
    Changes.push_back("with pinned memory for " + Names(P.Pinned));
  const std::string Low = signedPercent(P.lowChange()),
                    High = signedPercent(P.highChange());
  return fmt::format("median step {} ({}) {} ({})",
                     comparedDurations(P.Base, P.Low, P.High),
                     Low == High ? Low : Low + " to " + High,
                     llvm::join(Changes, " and "), runsOf(P.Predicted));
}

std::string measuredText(const StepChange &S) {
  std::string Text =
      fmt::format("median step {} ({}",
                  comparedDurations(S.BaseMedian, S.NewMedian, S.NewMedian),
                  signedPercent(S.Change));
  if (S.Basis != StepBasis::OneRun && S.Enough)
    Text += fmt::format(", 95 % interval {} to {}", signedPercent(S.Range.Low),
                        signedPercent(S.Range.High));
  return Text + fmt::format("; {} and {} {} runs)", S.BaseRuns, S.NewRuns,
                            S.Basis == StepBasis::Unrecorded ? "unrecorded"
                                                             : "recorded");
}

/// Where the one measured value is, which proves nothing.
std::string untestedText(const Prediction &P) {
  if (P.Measured >= P.Low && P.Measured <= P.High)
    return "the measured step is in the predicted range";
  const bool IsShorter = P.Measured < P.Low;
  const int64_t Beyond = IsShorter ? P.Low - P.Measured : P.Measured - P.High;
  if (1000 * Beyond < P.Base)
    return "the measured step is at the edge of the predicted range";
  return fmt::format("the measured step is {} {} than predicted ({} of the "
                     "base's step)",
                     duration(Beyond), IsShorter ? "shorter" : "longer",
                     percent(double(Beyond), double(P.Base)));
}

std::string agreementText(const Prediction &P) {
  switch (P.Found) {
  case Agreement::NotTested:
    return "not tested, with one run per side; " + untestedText(P);
  case Agreement::Unclear:
    return "unclear: the measured interval includes both the prediction and no "
           "change";
  case Agreement::Agrees:
    return "yes: predicted and measured intervals overlap";
  case Agreement::Faster:
    return "no: the step is shorter than predicted, so something else became "
           "faster, too";
  case Agreement::Slower:
    return "no: the step is longer than predicted, so something else became "
           "slower, or the wait moved elsewhere";
  }
  return "";
}

std::string outputText(const Trials &T) {
  std::string Codes =
      T.Base.ExitCode == T.New.ExitCode
          ? fmt::format("exit code {} on both sides", T.Base.ExitCode)
          : fmt::format("the exit codes differ: {} and {}", T.Base.ExitCode,
                        T.New.ExitCode);
  switch (compareOutputs(T)) {
  case OutputsAre::NotCompared:
    return Codes + "; what the programs print was not compared "
                   "(--compare-output)";
  case OutputsAre::Equal:
    return Codes + "; standard output is the same in all runs";
  case OutputsAre::Different:
    return Codes + "; standard output differs between the programs";
  case OutputsAre::Varying:
    return Codes + "; standard output varies from run to run of one program";
  }
  return Codes;
}

const Prediction *prediction(const Difference &D) {
  return D.Predicted && !D.Predicted->isEmpty() ? &*D.Predicted : nullptr;
}

} // namespace

Section report::proofSection(const Difference &D) {
  Section S;
  S.Heading = "From the change to its effect";
  Table Changed({{"what changed", true}});
  Changed.Limit = 8;
  for (const Fact &F : findFacts(D))
    Changed.addRow({factText(D, F)});
  if (Changed.empty() && D.Judged)
    Changed.addRow({"nothing visible in the recordings"});
  if (Changed.empty() && !prediction(D))
    return S;
  S.add(std::move(Changed));
  Facts Rest;
  if (D.Predicted)
    Rest.Lines.push_back({"predicted", predictedText(D)});
  if (D.Step)
    Rest.Lines.push_back({"measured", measuredText(*D.Step)});
  if (const Prediction *P = prediction(D))
    Rest.Lines.push_back({"agreement", agreementText(*P)});
  if (D.Compared)
    Rest.Lines.push_back({"output", outputText(*D.Compared)});
  return S.add(std::move(Rest));
}
