// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/Temporaries.h"
#include "analysis/steps/StepCandidates.h"
#include "report/Format.h"
#include "report/GainWords.h"
#include "report/recording/CallName.h"
#include "report/recording/Sentences.h"
#include "report/recording/Transfers.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

std::string words(const Input &Subject, const ExpectedGain &Gain,
                  llvm::StringRef NotReplayed) {
  // A replay keeps the host's own times, and cannot know how much of them the
  // waits cause.
  const bool LaunchBound =
      Gain.PerStep && Subject.R.InSteps->Limit == Regime::LaunchBound;
  return gainWords(Gain, NotReplayed, LaunchBound).text();
}

/// "a, b and c".
std::string listed(llvm::ArrayRef<std::string> Names) {
  std::string Text = Names.front();
  for (size_t I = 1; I < Names.size(); ++I)
    Text += (I + 1 < Names.size() ? ", " : " and ") + Names[I];
  return Text;
}

/// The calls that would wait in place of the changed one.
std::vector<std::string> others(const Input &Subject,
                                const std::optional<ExpectedGain> &Gain) {
  std::vector<std::string> Names;
  if (Gain)
    for (uint32_t I : Gain->Along)
      Names.push_back(callAt(Subject.T, Subject.R.Sites[I]));
  return Names;
}

/// "First, b and c": with these calls.
std::string withOthers(const Input &Subject, std::string First,
                       const std::optional<ExpectedGain> &Gain) {
  std::vector<std::string> Names = others(Subject, Gain);
  Names.insert(Names.begin(), std::move(First));
  return listed(Names);
}

/// "removing it and cudaStreamSynchronize at a.cu:66 (which would wait
/// instead)"; if these calls were `Named`, "removing both".
std::string doing(const Input &Subject, const SiteRow &Row, Verdict V,
                  const std::optional<ExpectedGain> &Gain, bool Named = false) {
  const bool Alone = !Gain || Gain->Along.empty();
  const char *It =
      V == Verdict::Remove && Row.Promised.KeepsCopy ? "its wait" : "it";
  std::string Calls = withOthers(Subject, It, Gain) +
                      (Alone ? "" : " (which would wait instead)");
  if (Named && !Alone)
    Calls = Gain->Along.size() == 1 ? "both" : "all of them";
  if (Gain && Gain->CreatedOnce)
    return "creating its object only once";
  if (V == Verdict::MakeAsync)
    return "making " + Calls + " asynchronous";
  return (V == Verdict::Postpone ? "postponing " : "removing ") + Calls;
}

} // namespace

report::Promise report::promise(const Input &Subject, const SiteRow &Row) {
  report::Promise P{Row.Promised, "-"};
  if (P.Expected)
    P.Text = words(Subject, *P.Expected, P.IsBound ? Row.GainNote : "");
  return P;
}

std::string report::gainText(const Input &Subject, const SiteRow &Row) {
  const report::Promise P = promise(Subject, Row);
  constexpr llvm::StringLiteral Ways[] = {"", " if removed", " if postponed",
                                          " if made asynchronous"};
  static_assert(unsigned(Verdict::MakeAsync) == 3);
  if (!P.Expected || !P.Expected->Saved.High)
    return P.Text;
  const std::vector<std::string> Names = others(Subject, P.Expected);
  const bool OnlyWait = P.Change == Verdict::Remove && P.KeepsCopy;
  if (P.Expected->CreatedOnce)
    return P.Text + " if its object is created only once";
  return P.Text +
         (OnlyWait ? " without its wait" : Ways[unsigned(P.Change)].str()) +
         (Names.empty() ? "" : " together with " + listed(Names));
}

std::string report::judgementText(const SiteRow &Row) {
  const std::string &Instead = Row.Judged.Instead;
  switch (Row.Judged.Why) {
  case Grounds::None:
    return "";
  case Grounds::Replaceable:
    return Instead;
  case Grounds::UnlessRead:
    return "unless the CPU reads a result immediately after it: " + Instead;
  case Grounds::Later:
    return Instead + ", for example one step later";
  case Grounds::OwnTime:
    return "or call it less often: its own CPU time costs more than the wait";
  case Grounds::NoOtherForm:
    return "no cheaper form of this call is known";
  case Grounds::GpuBusy:
    return "the GPU stays busy meanwhile, so the wait costs almost nothing";
  case Grounds::SmallPartOfStep:
    return "the estimated gain is less than 1 % of the step time";
  case Grounds::SmallPartOfRun:
    return "the estimated gain is less than 1 % of the GPU's span";
  case Grounds::IncludedInPartner:
    return "the change of " + Instead + " on the same line includes it";
  }
  return "";
}

std::string report::adviceText(const Input &Subject, const SiteRow &Row) {
  // The wait costs nothing, but the copy of the same call does.
  const std::optional<TransferChange> &Copy = Subject.R.Decided.Transfer;
  const bool IsOfCopy = Row.Judged.Kind == Verdict::NotWorthIt && Copy &&
                        Row.Site != trace::None && Copy->Site == Row.Site;
  return judgementText(Row) +
         (IsOfCopy ? "; its copy is worth a change, see the transfers" : "");
}

std::string report::verdictLine(const Input &Subject, const SiteRow &Row) {
  const Verdict Decision = Row.Judged.Kind;
  if (Decision == Verdict::None)
    return "";
  const report::Promise P = promise(Subject, Row);
  std::string Advice = adviceText(Subject, Row);
  if (!Advice.empty())
    Advice.insert(0, Row.Judged.Why == Grounds::UnlessRead ? ", " : ": ");
  if (P.Change == Decision)
    return fmt::format("{} gains {}{}",
                       doing(Subject, Row, Decision, P.Expected), P.Text,
                       Advice);
  std::string Line =
      doing(Subject, Row, Verdict::Remove, P.Expected) + " gains " + P.Text;
  if (Row.Advised && P.OfVerdict)
    Line += fmt::format(
        "; {}, {}", doing(Subject, Row, Decision, P.OfVerdict, /*Named=*/true),
        words(Subject, *P.OfVerdict, ""));
  return Line + "; " + analysis::phrase(Decision).str() + Advice;
}

/// "Postponing cudaMemcpy at train.cu:88 gains about 22 us per step (...)".
static std::string change(const Input &Subject, const SiteRow &Row) {
  const report::Promise P = promise(Subject, Row);
  const std::string Calls =
      withOthers(Subject, callAt(Subject.T, Row), P.Expected);
  switch (P.Change) {
  case Verdict::Postpone:
    return "Postponing " + Calls + " gains " + P.Text;
  case Verdict::MakeAsync:
    if (P.Expected && P.Expected->CreatedOnce)
      return fmt::format("Creating {} at {} only once gains {}",
                         classOf(Row.Call).str(), place(Subject.T, Row.Site),
                         P.Text);
    return "Making " + Calls + " asynchronous gains " + P.Text;
  default:
    return "Removing " + Calls + " gains " + P.Text;
  }
}

/// What precedes everything else about a file that is cut off; "": it is not.
static std::string cutOffWarning(const Input &Subject) {
  if (!Subject.T.Unread.BytesDropped)
    return "";
  return std::string("Warning: the file is cut off, and the results are of the "
                     "part that was read") +
         (Subject.T.Info.Source.Producer.empty()
              ? ""
              : ", which may lack GPU work: profilers write it last") +
         ". ";
}

/// "; 2 more waits are worth a change"; "": there are none.
static std::string othersText(size_t Count, const char *Which) {
  return Count ? fmt::format("; {}{}{} worth a change", count(Count), Which,
                             Count == 1 ? "wait is" : "waits are")
               : "";
}

static std::string transferAnswer(const Input &Subject) {
  const Decision &D = Subject.R.Decided;
  const TransferChange &Best = *D.Transfer;
  const auto Others = llvm::count_if(D.Waits, [&](uint32_t I) {
    const uint32_t Site = Subject.R.Sites[I].Site;
    return Site == trace::None || Site != Best.Site;
  });
  return "Pinning the memory of " +
         transferName(Subject, Subject.R.Transfers[Best.Transfer]) + " gains " +
         gainWords(Best.Gain).text() +
         ", if this takes no extra copy on the host" +
         othersText(size_t(Others), " ");
}

static std::string unknownAnswer(const Result &R) {
  switch (R.Decided.Hidden) {
  case Hidden::GpuWork:
    return "This recording has no GPU work, so the cost of waits is unknown";
  case Hidden::Waits:
    return R.Waited
               ? "No recorded wait is worth changing, but the trace lacks "
                 "other calls that wait for the GPU"
               : "Whether a wait is worth changing is unknown: the trace lacks "
                 "the calls that wait for the GPU";
  case Hidden::Rest:
  case Hidden::Nothing:
    break;
  }
  return "Whether a wait is worth changing is unknown: in that part, none is";
}

/// The condition under which nothing is worth a change; "": none.
static std::string stepsDoubt(const Input &Subject) {
  if (!Subject.R.Decided.AreStepsDoubtful)
    return "";
  return std::string(", if the steps are those that autoprof assumes (low "
                     "confidence") +
         (findStepCandidates(Subject.T, 1).empty()
              ? ")"
              : "; --step selects others)");
}

static std::string answer(const Input &Subject) {
  const Decision &D = Subject.R.Decided;
  switch (D.Answer) {
  case Answer::ChangeWait:
    return change(Subject, Subject.R.Sites[D.Waits.front()]) +
           othersText(D.Waits.size() - 1, " more ");
  case Answer::ChangeTransfer:
    return transferAnswer(Subject);
  case Answer::NotWorthIt:
    return "No wait for the GPU is worth changing" + stepsDoubt(Subject);
  case Answer::NoWaits:
    return "No call waits for the GPU";
  case Answer::Unknown:
    break;
  }
  return unknownAnswer(Subject.R);
}

std::string report::headline(const Input &Subject) {
  return cutOffWarning(Subject) + answer(Subject);
}
