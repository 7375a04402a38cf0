// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/compare/TrialsText.h"

#include "report/Format.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

/// "318 -> 452 us: no change (+42.0 %, 95 % interval ...". The change is the
/// median of all pairs of runs, which that of the medians may differ from.
std::string answer(const RunsChange &C) {
  const double OfMedians = double(C.NewTime) / double(C.BaseTime) - 1;
  return fmt::format(
      "{}{} ({}{}{}", comparedDurations(C.BaseTime, C.NewTime, C.NewTime),
      verdictWords(C), signedPercent(C.Change),
      std::abs(OfMedians - C.Change) < 0.001 ? ""
                                             : " in the median pair of runs",
      C.Range ? ", 95 % interval " + range(*C.Range) : "");
}

/// The effect of launch costs, and the answer that the headline does not give.
std::string launchNote(const TrialsJudged &J) {
  const LaunchAdjustment &L = *J.Launch;
  const std::string Adjusted =
      " With adjustment for it: " + answer(L.Adjusted) + ").";
  switch (L.Obstacle) {
  case LaunchAdjustment::Objection::None:
    return fmt::format(
        "Launch cost varies between processes and explains {} of the variance "
        "between runs. Without adjustment for it: {}).",
        share(L.Explained), answer(J.Unadjusted));
  case LaunchAdjustment::Objection::Environments:
    return "The environments differ and may affect launch cost, so the change "
           "is not adjusted for each process's launch cost." +
           Adjusted;
  case LaunchAdjustment::Objection::Cost:
    return fmt::format("A launch costs {} in base and {} in new, a significant "
                       "difference, so the change is not adjusted for each "
                       "process's launch cost.",
                       duration(L.BaseCost), duration(L.NewCost)) +
           Adjusted;
  }
  return "";
}

std::string outputNote(const Trials &T) {
  constexpr const char *Notes[] = {
      "", "Both programs printed the same output.",
      "The programs printed different output.",
      "The output of one program varies between runs, so it cannot be "
      "compared."};
  return Notes[unsigned(compareOutputs(T))];
}

int64_t medianFigure(const Trials &T, bool IsNew,
                     std::optional<int64_t> Trial::*Figure) {
  std::vector<int64_t> Values;
  for (const Trial &R : T.Runs)
    if (R.IsNew == IsNew && R.*Figure)
      Values.push_back(*(R.*Figure));
  return median(std::move(Values));
}

/// "the GPU ran at 1755 MHz in base and 1980 MHz in new".
void compareClocks(const Trials &T, const char *Name,
                   std::optional<int64_t> Trial::*Figure,
                   std::vector<std::string> &Out) {
  const int64_t B = medianFigure(T, false, Figure),
                N = medianFigure(T, true, Figure);
  constexpr double Noticeable = 0.02;
  if (B > 0 && N > 0 && std::abs(double(N) / double(B) - 1) > Noticeable)
    Out.push_back(fmt::format(
        "the {} clock differs: {} MHz in base, {} MHz in new", Name, B, N));
}

} // namespace

std::vector<std::string> report::confounders(const Trials &T) {
  std::vector<std::string> Lines;
  compareClocks(T, "GPU's", &Trial::GpuMHz, Lines);
  compareClocks(T, "CPU's", &Trial::CpuMHz, Lines);
  return Lines;
}

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
      "Runs vary by {} in base and {} in new (robust standard deviation). With "
      "identical programs, about {} of comparisons would report a change.",
      share(J.BaseSpread), share(J.NewSpread), share(StoppingPlan::Error)));
  if (!J.Differs && !J.ShowsNone) {
    const double Spread =
        J.isAdjusted() ? J.Launch->Spread : std::max(J.BaseSpread, J.NewSpread);
    Lines.push_back(fmt::format(
        "Detecting a change of {} takes about {} runs per side: -n {}.",
        share(T.Precision), runsNeeded(Spread, T.Precision),
        runsNeeded(Spread, T.Precision)));
  }
  if (J.Launch)
    Lines.push_back(launchNote(J));
  if (T.Stored)
    Lines.push_back("The base runs are from an earlier comparison, so changes "
                    "to the machine since then count as a difference.");
  if (!T.Cpus.empty())
    Lines.push_back("Both sides ran on CPUs " + llvm::join(T.Cpus, ",") + ".");
  for (const std::string &Reason : confounders(T))
    Lines.push_back("Possible cause of a difference: " + Reason + ".");
  if (std::string Note = outputNote(T); !Note.empty())
    Lines.push_back(std::move(Note));
  return Lines;
}

std::vector<std::string> report::selfTestLines(const Trials &T) {
  std::vector<int64_t> Times = T.times(false);
  llvm::append_range(Times, T.times(true));
  const double Spread = spread(Times);
  std::vector<std::string> Lines;
  std::string Line = fmt::format(
      "{} runs of this program vary by {} (robust standard deviation)",
      Times.size(), share(Spread));
  if (std::optional<double> Span = pairSpan(T))
    Line += fmt::format("; two runs differ by up to {} (95 % of pairs)",
                        share(*Span));
  Lines.push_back(Line + ".");
  const std::optional<double> Adjusted = adjustedSpread(T);
  if (Adjusted)
    Lines.push_back(
        fmt::format("Adjusted for each process's launch cost, they vary by {}.",
                    share(*Adjusted)));
  std::string Needed = "Runs per side needed to detect a change:";
  for (double Change : {0.01, 0.02, 0.05})
    Needed += fmt::format("{} {} for {:g} %", Change > 0.01 ? "," : "",
                          runsNeeded(Adjusted.value_or(Spread), Change),
                          100 * Change);
  Lines.push_back(Needed + ".");
  return Lines;
}
