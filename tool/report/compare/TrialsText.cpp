// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/compare/TrialsText.h"

#include "report/Format.h"

#include <fmt/format.h>

#include <algorithm>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

std::string range(const Interval &I) {
  return signedPercent(I.Low) + " to " + signedPercent(I.High);
}

/// Two significant digits or more: "0.42 %", "142 %".
std::string share(double V) {
  return V < 0.1 ? fmt::format("{:.2g} %", 100 * V)
                 : fmt::format("{:.0f} %", 100 * V);
}

const char *verdictWords(const RunsChange &C) {
  return C.Differs     ? ""
         : C.ShowsNone ? ": no change"
                       : ": not enough runs to tell";
}

/// "318 -> 452 us: no change (+42.0 %, 95 % interval ...".
std::string answer(const RunsChange &C) {
  return fmt::format("{}{} ({}{}",
                     comparedDurations(C.BaseTime, C.NewTime, C.NewTime),
                     verdictWords(C), signedPercent(C.Change),
                     C.Range ? ", 95 % interval " + range(*C.Range) : "");
}

/// The effect of launch costs; "": it is not known.
std::string launchNote(const TrialsJudged &J) {
  constexpr const char *NotAdjusted =
      "so the change is not adjusted for each process's launch cost.";
  switch (J.Launch) {
  case LaunchAdjustment::Unknown:
    return "";
  case LaunchAdjustment::Used:
    return fmt::format("Launch cost varies between processes. Without "
                       "adjustment for it: {}).",
                       answer(J.Unadjusted));
  case LaunchAdjustment::EnvironmentsDiffer:
    return fmt::format("The environments differ and may affect launch cost, {}",
                       NotAdjusted);
  case LaunchAdjustment::CostsDiffer:
    return fmt::format("A launch costs {} in base and {} in new, a significant "
                       "difference, {}",
                       duration(J.BaseCost), duration(J.NewCost), NotAdjusted);
  }
  return "";
}

std::string outputNote(const Trials &T) {
  switch (compareOutputs(T)) {
  case OutputsAre::NotCompared:
    return "";
  case OutputsAre::Equal:
    return "Both programs printed the same output.";
  case OutputsAre::Different:
    return "The programs printed different output.";
  case OutputsAre::Varying:
    return "The output of one program varies between runs, so it cannot be "
           "compared.";
  }
  return "";
}

} // namespace

std::string report::trialsSentence(const Trials &T, const TrialsJudged &J) {
  const char *Name = T.Metric == TrialMetric::Wall ? "Run time" : "Step time";
  return fmt::format("{} {}; {} and {} runs{}).", Name, answer(J), J.BaseRuns,
                     J.NewRuns,
                     J.isAdjusted() ? ", adjusted for launch cost" : "");
}

std::vector<std::string> report::trialsNotes(const Trials &T,
                                             const TrialsJudged &J) {
  std::vector<std::string> Lines;
  Lines.push_back(fmt::format(
      "Runs vary by {} in base and {} in new (robust standard deviation{}). "
      "With identical programs, about {} of comparisons would report a change.",
      share(J.BaseSpread), share(J.NewSpread),
      J.isAdjusted() ? ", adjusted for launch cost" : "",
      share(StoppingPlan::Error)));
  if (!J.Differs && !J.ShowsNone) {
    const size_t Needed =
        runsNeeded(std::max(J.BaseSpread, J.NewSpread), T.Precision);
    Lines.push_back(fmt::format(
        "Detecting a change of {} takes about {} runs per side: -n {}.",
        share(T.Precision), Needed, Needed));
  }
  for (std::string &Note : std::vector{launchNote(J), outputNote(T)})
    if (!Note.empty())
      Lines.push_back(std::move(Note));
  return Lines;
}
