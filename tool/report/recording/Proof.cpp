// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Format.h"
#include "report/recording/DiffText.h"

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
