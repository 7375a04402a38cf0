// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Format.h"
#include "report/check/Check.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

std::string siteOf(const trace::Site &Place, const std::string &Call) {
  std::string Text = Call;
  if (!Place.Function.empty())
    Text += " in " + Place.Function;
  if (const auto &From = Place.CalledFrom)
    Text += fmt::format(" (called from {}:{})", From->File, From->Line);
  return Text;
}

/// A change as a share of the step, as limits are.
std::string ofStep(const CheckResult &R, int64_t Ns) {
  return percent(double(Ns), double(R.SameDevice ? R.BaseStep : R.NewStep));
}

std::string allowed(double Share) { return fmt::format("{:g} %", 100 * Share); }

/// "src/train.cu:88: ", or nothing.
std::string prefix(const trace::Site &Place) {
  if (Place.File.empty())
    return "";
  return Place.Line ? fmt::format("{}:{}: ", Place.File, Place.Line)
                    : Place.File + ": ";
}

/// If the variation between runs is unknown.
constexpr const char *MeasureIt =
    "record three or more runs for the baseline and for the check, or measure "
    "the run-to-run variation with 'autoprof compare --self-test -- PROGRAM' "
    "and pass its file with --noise";

std::string runsText(const CheckResult &R) {
  return fmt::format("{} against {}", plural(R.NewRuns, "run"), R.BaseRuns);
}

/// "finding 5 % takes 12 runs per side".
std::string runsNeeded(const CheckPower &Power, double Limit) {
  return fmt::format("detecting {} takes {} runs per side", allowed(Limit),
                     Power.RunsNeeded
                         ? fmt::format("{}", *Power.RunsNeeded)
                         : fmt::format("more than {}", CheckPower::MostRuns));
}

/// States that a slowdown of the limit's size may go unnoticed; "": it would be
/// noticed.
std::string weakness(const CheckInput &Subject) {
  const CheckResult &R = Subject.R;
  const double Limit = Subject.Limits.Slowdown;
  if (!R.SameDevice || !Subject.Limits.checks(CheckRule::Slowdown) ||
      llvm::any_of(R.Doubtful, [](const CheckFinding &F) {
        return F.Rule == CheckRule::Slowdown;
      }))
    return "";
  if (!R.Power)
    return R.RunsVary > Limit
               ? fmt::format("with one run per side, a slowdown of less than "
                             "{:g} % may go undetected; {}",
                             100 * R.RunsVary, MeasureIt)
               : "";
  if (R.Power->Visible <= Limit)
    return "";
  return fmt::format(
      "a slowdown of less than {} may go undetected: runs vary by {} ({}); {}",
      percent(R.Power->Visible, 1), percent(R.Power->Spread.Deviation, 1),
      runsText(R), runsNeeded(*R.Power, Limit));
}

} // namespace

std::string report::doubt(const CheckInput &Subject, const CheckFinding &F) {
  const CheckResult &R = Subject.R;
  std::string Text = message(R, F) + "; this may be chance";
  if (!F.P)
    return Text + fmt::format(
                      ": single runs of one program differ by up to {:g} %; {}",
                      100 * R.RunsVary, MeasureIt);
  Text += fmt::format(" ({})", pValue(*F.P));
  if (F.Rule != CheckRule::Slowdown || !R.Power)
    return Text + ": the runs of one side vary by as much; record more runs";
  return Text + fmt::format(": runs vary by {} ({}); {}",
                            percent(R.Power->Spread.Deviation, 1), runsText(R),
                            runsNeeded(*R.Power, F.Allowed));
}

std::string report::message(const CheckResult &R, const CheckFinding &F) {
  switch (F.Rule) {
  case CheckRule::NewWait:
    return fmt::format("{} is new in the steps: it waits {} per step ({} of "
                       "the step; limit {}), {}",
                       siteOf(F.Place, F.Call), duration(F.New),
                       ofStep(R, F.New), allowed(F.Allowed),
                       F.Exposed
                           ? "with an exposed stall of " + duration(F.Exposed)
                           : "with no exposed stall, because the GPU was busy "
                             "during the wait here");
  case CheckRule::MoreStall:
    return fmt::format("{} leaves the GPU idle longer: {} per step, {} of the "
                       "step more (limit {})",
                       siteOf(F.Place, F.Call), durationChange(F.Base, F.New),
                       ofStep(R, F.New - F.Base), allowed(F.Allowed));
  case CheckRule::Slowdown:
    return fmt::format("the steps are slower: {} ({}; limit {})",
                       comparedDurations(F.Base, F.New, F.New),
                       signedPercent(double(F.New) / double(F.Base) - 1),
                       allowed(F.Allowed));
  }
  return "";
}

std::vector<std::string> report::notes(const CheckInput &Subject) {
  const CheckResult &R = Subject.R;
  std::vector<std::string> Notes;
  if (!R.SameDevice)
    Notes.push_back(fmt::format("recorded on {}, the baseline on {}: times are "
                                "not compared; only new waits are reported",
                                R.Device.empty() ? "an unknown GPU" : R.Device,
                                Subject.B.Device.empty() ? "an unknown one"
                                                         : Subject.B.Device));
  if (std::string Weak = weakness(Subject); !Weak.empty())
    Notes.push_back(std::move(Weak));
  for (const CheckFinding &F : R.Outweighed)
    Notes.push_back(fmt::format("{}{}; not a failure, because the steps are {} "
                                "shorter",
                                prefix(F.Place), message(R, F),
                                duration(R.BaseStep - R.NewStep)));
  for (const auto &[Place, Reason] : R.Guesses)
    Notes.push_back(fmt::format("{}{} was matched to a baseline entry: {}; "
                                "--update stores its current location",
                                prefix(Place), Place.Callee, Reason));
  for (const BaselineSite &S : R.Gone)
    Notes.push_back(fmt::format("{} no longer waits ({} per step before); "
                                "--update removes it from the baseline",
                                siteOf(S.Place, S.Call),
                                duration(median(S.Wait))));
  for (const RunSummary &S : Subject.Traces)
    for (const std::string &Line : S.Caveats)
      Notes.push_back(S.Path + ": " + Line);
  return Notes;
}

std::string report::summary(const CheckInput &Subject) {
  const CheckResult &R = Subject.R;
  std::string Head = !R.Failures.empty() ? plural(R.Failures.size(), "failure")
                     : !R.Doubtful.empty() ? "undecided"
                                           : "fine";
  std::string Steps =
      R.SameDevice ? fmt::format("step {} (baseline {})", duration(R.NewStep),
                                 duration(R.BaseStep))
                   : fmt::format("step {}", duration(R.NewStep));
  return fmt::format(
      "{}: {} in the steps, {}; {} against {} in {}", Head,
      R.Waiting == 1 ? "1 site waits" : fmt::format("{} sites wait", R.Waiting),
      Steps, plural(R.NewRuns, "run"), R.BaseRuns, Subject.BaselinePath);
}

std::string report::baselineSentence(const Baseline &B) {
  size_t Waiting = 0;
  for (const BaselineSite &S : B.Sites)
    Waiting += !S.Wait.empty();
  return fmt::format("from {}{}: step {}, {} in the steps",
                     plural(B.StepMedians.size(), "run"),
                     B.Device.empty() ? "" : " on " + B.Device,
                     duration(median(B.StepMedians)),
                     Waiting == 1 ? "1 site waits"
                                  : fmt::format("{} sites wait", Waiting));
}

static Diagnostic diagnostic(Diagnostic::Level Level, const CheckFinding &F,
                             std::string Text) {
  Diagnostic D;
  D.Kind = Level;
  D.File = F.Place.File;
  D.Line = F.Place.Line;
  D.Text = std::move(Text);
  D.Rule = name(F.Rule).str();
  D.Title = "autoprof " + D.Rule;
  return D;
}

Document report::checkDocument(const CheckInput &Subject, const TextStyle &) {
  Document D;
  D.Title = "autoprof check";
  D.IsAnswerLast = D.IsLog = true;
  D.Answer.say(summary(Subject), Paragraph::Answer);
  Diagnostics Found;
  for (const CheckFinding &F : Subject.R.Failures)
    Found.All.push_back(
        diagnostic(Diagnostic::Error, F, message(Subject.R, F)));
  for (const CheckFinding &F : Subject.R.Doubtful)
    Found.All.push_back(diagnostic(Diagnostic::Warning, F, doubt(Subject, F)));
  for (std::string &Note : notes(Subject)) {
    Diagnostic &N = Found.All.emplace_back();
    N.Text = std::move(Note);
    N.Title = "autoprof check";
  }
  D.section("").add(std::move(Found));
  return D;
}
