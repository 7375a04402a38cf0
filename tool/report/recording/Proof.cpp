// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Format.h"
#include "report/JsonFields.h"
#include "report/compare/TrialsText.h"
#include "report/recording/DiffText.h"
#include "report/recording/JsonParts.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

const char *runsOf(PredictedRuns Of) {
  constexpr const char *Runs[] = {
      "of recorded runs", "of unrecorded runs",
      "of unrecorded runs, scaled from recorded ones because the recorder's "
      "cost is unknown"};
  return Runs[unsigned(Of)];
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

namespace {

constexpr llvm::StringRef Outputs[] = {"not_compared", "equal", "different",
                                       "varying", ""};

void measuredFields(Fields &F, const StepChange &S) {
  const bool Known = S.Enough && S.Basis != StepBasis::OneRun;
  F.choice("basis",
           "what `significant` rests on: `one_run` on a side, which shows "
           "nothing; several `recorded_runs` on both sides; the "
           "`unrecorded_runs` of `autoprof compare`",
           S.Basis, StepBasis::Unrecorded);
  F.field("change", "new / base - 1", S.Change);
  F.field("low", "lower end of its 95 % interval; null for `one_run`",
          onlyIf(Known, S.Range.Low));
  F.field("high", "its upper end", onlyIf(Known, S.Range.High));
  F.field("significant", "a change is claimed", S.Significant);
}

} // namespace

void report::proofFields(Fields &F, const Difference *D) {
  F.object(
      "proof",
      "from the change to its effect; null without a recording of each side", D,
      [&](const Difference &D) {
        const std::optional<Trials> &T = D.Compared;
        const bool Predicted = D.Predicted && !D.Predicted->isEmpty();
        std::vector<std::string> Changes;
        if (!F.describes())
          for (const Fact &One : findFacts(D))
            Changes.push_back(factText(D, One));
        F.field("changes",
                "what the programs do differently, one sentence each "
                "(`facts[]` of `autoprof-diff/1`)",
                Changes);
        F.object("predicted",
                 "change of the step that the base's replay predicted for the "
                 "waits that are gone and the memory that is pinned; null: "
                 "there are none, or the steps cannot be compared",
                 Predicted ? &*D.Predicted : nullptr, [&](const Prediction &P) {
                   F.choice(
                       "runs",
                       "what the prediction is for: `recorded` or `unrecorded` "
                       "runs, as was measured. `scaled`: unrecorded ones, by "
                       "the share that was predicted for recorded ones, as the "
                       "recorder's cost is not known",
                       P.Predicted, PredictedRuns::Scaled);
                   F.field("low", "new / base - 1, at least", P.lowChange());
                   F.field("high", "at most", P.highChange());
                 });
        F.object("measured",
                 "change of the step that was measured; null without steps in "
                 "common",
                 D.Step, [&](const StepChange &S) { measuredFields(F, S); });
        F.choice(
            "agreement",
            "of prediction and measurement: `agrees`: the intervals overlap; "
            "`faster`, `slower`: the step is shorter or longer than predicted; "
            "`unclear`: the measured interval is too wide to tell; "
            "`not_tested`: one run on a side; null without a prediction",
            Predicted ? std::optional(D.Predicted->Found) : std::nullopt,
            Agreement::Slower);
        F.choice(
            "outputs",
            "standard output of the two programs. `varying`: not even runs of "
            "one program print the same; null without `autoprof compare`",
            T ? Outputs[unsigned(compareOutputs(*T))] : "", Outputs);
        F.field("base_exit_code", "null without `autoprof compare`",
                T ? std::optional(T->Base.ExitCode) : std::nullopt,
                Bounds::Any);
        F.field("new_exit_code", "likewise",
                T ? std::optional(T->New.ExitCode) : std::nullopt, Bounds::Any);
      });
}
