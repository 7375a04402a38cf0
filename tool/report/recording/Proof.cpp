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
  if (Changed.empty())
    return S;
  S.add(std::move(Changed));
  Facts Rest;
  if (D.Step)
    Rest.Lines.push_back({"measured", measuredText(*D.Step)});
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
        std::vector<std::string> Changes;
        if (!F.describes())
          for (const Fact &One : findFacts(D))
            Changes.push_back(factText(D, One));
        F.field("changes",
                "what the programs do differently, one sentence each "
                "(`facts[]` of `autoprof-diff/1`)",
                Changes);
        F.object("measured",
                 "change of the step that was measured; null without steps in "
                 "common",
                 D.Step, [&](const StepChange &S) { measuredFields(F, S); });
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
