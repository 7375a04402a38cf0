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

std::optional<ExpectedGain> gainOf(const Input &Subject, const SiteRow &Row,
                                   Edit Kind) {
  if (Kind == Edit::None)
    return std::nullopt;
  return expectedGain(Subject.R, uint32_t(&Row - Subject.R.Sites.data()), Kind);
}

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

/// A copy whose data the GPU needs: without the wait, it is still made.
bool isUpload(const Input &Subject, const SiteRow &Row) {
  return Row.Site != trace::None &&
         llvm::any_of(Subject.R.Transfers, [&](const TransferRow &T) {
           return T.Site == Row.Site && T.Dir == trace::Direction::HtoD;
         });
}

/// "removing it and cudaStreamSynchronize at a.cu:66 (which would wait
/// instead)"; if these calls were `Named`, "removing both".
std::string doing(const Input &Subject, const SiteRow &Row, Verdict V,
                  const std::optional<ExpectedGain> &Gain, bool Named = false) {
  const bool Alone = !Gain || Gain->Along.empty();
  const char *It =
      V == Verdict::Remove && isUpload(Subject, Row) ? "its wait" : "it";
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

/// Whether the advised change of several calls brings less than half of what
/// removing them would: then readers need both figures to decide.
bool isFarLess(const ExpectedGain &Advised,
               const std::optional<ExpectedGain> &Removed) {
  return Removed && !Advised.Along.empty() &&
         Removed->Recorded == Advised.Recorded &&
         2 * Advised.Saved.Middle < Removed->Saved.Middle;
}

/// The sums of the recorded run.
Gain recordedSums(const SiteRow &Row, Verdict Change) {
  if (Change == Row.Judged.Kind && Row.Advised)
    return *Row.Advised;
  return Row.Steps && Row.Steps->Waits ? Row.Steps->Gained : *Row.Gained;
}

} // namespace

Promise report::promise(const Input &Subject, const SiteRow &Row) {
  if (!Row.Gained)
    return {Verdict::None, {}, {}, "-"};
  // Postponing a call may gain next to nothing where removing it is worthwhile.
  const std::optional<ExpectedGain> Advised =
      gainOf(Subject, Row, Row.Advised ? editOf(Row.Judged.Kind) : Edit::None);
  const std::optional<ExpectedGain> Removed =
      gainOf(Subject, Row, Edit::Remove);
  if (Advised && Advised->isWorthIt() &&
      (Advised->Recorded || Advised->isMeasurable()) &&
      !isFarLess(*Advised, Removed))
    return {Row.Judged.Kind, recordedSums(Row, Row.Judged.Kind), Advised,
            words(Subject, *Advised, "")};
  return {Verdict::Remove, recordedSums(Row, Verdict::Remove), Removed,
          words(Subject, *Removed, Row.GainNote)};
}

std::string report::gainText(const Input &Subject, const SiteRow &Row) {
  const Promise P = promise(Subject, Row);
  constexpr llvm::StringLiteral Ways[] = {"", " if removed", " if postponed",
                                          " if made asynchronous"};
  static_assert(unsigned(Verdict::MakeAsync) == 3);
  if (!P.Expected || !P.Expected->Saved.High)
    return P.Text;
  const std::vector<std::string> Names = others(Subject, P.Expected);
  const bool OnlyWait = P.Change == Verdict::Remove && isUpload(Subject, Row);
  if (P.Expected->CreatedOnce)
    return P.Text + " if its object is created only once";
  return P.Text +
         (OnlyWait ? " without its wait" : Ways[unsigned(P.Change)].str()) +
         (Names.empty() ? "" : " together with " + listed(Names));
}

std::string report::adviceText(const Input &Subject, const SiteRow &Row) {
  const std::string &Advice = Row.Judged.Advice;
  if (Row.Judged.Kind != Verdict::NotWorthIt || Row.Site == trace::None)
    return Advice;
  // The wait costs nothing, but the copy of the same call does.
  const std::optional<TransferChance> Copy = bestTransfer(Subject);
  return Copy && Copy->Site == Row.Site
             ? Advice + "; its copy is worth a change, see the transfers"
             : Advice;
}

std::string report::verdictLine(const Input &Subject, const SiteRow &Row) {
  const Verdict Decision = Row.Judged.Kind;
  if (Decision == Verdict::None)
    return "";
  const Promise P = promise(Subject, Row);
  const std::string Text = adviceText(Subject, Row);
  const std::string Advice =
      Text.empty()
          ? ""
          : (llvm::StringRef(Text).starts_with("unless") ? ", " : ": ") + Text;
  if (P.Change == Decision)
    return fmt::format("{} gains {}{}",
                       doing(Subject, Row, Decision, P.Expected), P.Text,
                       Advice);
  std::string Line =
      doing(Subject, Row, Verdict::Remove, P.Expected) + " gains " + P.Text;
  if (Row.Advised)
    if (const auto Advised = gainOf(Subject, Row, editOf(Decision)))
      Line += fmt::format(
          "; {}, {}", doing(Subject, Row, Decision, Advised, /*Named=*/true),
          words(Subject, *Advised, ""));
  return Line + "; " + analysis::phrase(Decision).str() + Advice;
}

/// "Postponing cudaMemcpy at train.cu:88 gains about 22 us per step (...)".
static std::string change(const Input &Subject, const SiteRow &Row) {
  const Promise P = promise(Subject, Row);
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

/// Of gains of the same run, by their shares.
static bool isMore(const ExpectedGain &A, const Promise &B) {
  return !B.Expected || double(A.Saved.Middle) * double(B.Expected->Whole) >
                            double(B.Expected->Saved.Middle) * double(A.Whole);
}

/// Whether what repeats may be something else than steps: a layer's part of
/// them, for example, of which a wait is not a part.
static bool areDoubtful(const Steps &S) {
  return S.measured() && S.Sure == Confidence::Low;
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

static std::string answer(const Input &Subject) {
  if (!Subject.R.WaitsKnown)
    return "This recording has no GPU work, so the cost of waits is unknown";
  const SiteRow *First = nullptr;
  size_t Found = 0;
  for (const SiteRow &Row : Subject.R.Sites)
    if (isFinding(Row)) {
      First = First ? First : &Row;
      ++Found;
    }
  const std::optional<TransferChance> Transfer = bestTransfer(Subject);
  if (Transfer &&
      (!First || isMore(Transfer->Gain, promise(Subject, *First)))) {
    const std::string Text = Transfer->Text + " gains " +
                             gainWords(Transfer->Gain).text() +
                             ", if this takes no extra copy on the host";
    const auto Others =
        size_t(llvm::count_if(Subject.R.Sites, [&](const SiteRow &Row) {
          return isFinding(Row) &&
                 (Row.Site == trace::None || Row.Site != Transfer->Site);
        }));
    return Others ? Text + fmt::format("; {} {} worth a change", count(Others),
                                       Others == 1 ? "wait is" : "waits are")
                  : Text;
  }
  if (!Found && Subject.T.Info.Source.LacksWaits)
    return Subject.R.Waited
               ? "No recorded wait is worth changing, but the trace lacks "
                 "other calls that wait for the GPU"
               : "Whether a wait is worth changing is unknown: the trace lacks "
                 "the calls that wait for the GPU";
  if (!Found && Subject.T.Unread.BytesDropped)
    return "Whether a wait is worth changing is unknown: in that part, none is";
  if (!Found && !Subject.R.Waited)
    return "No call waits for the GPU";
  if (!Found)
    return std::string("No wait for the GPU is worth changing") +
           (areDoubtful(Subject.R.Steps)
                ? std::string(", if the steps are those that autoprof assumes "
                              "(low confidence") +
                      (findStepCandidates(Subject.T, 1).empty()
                           ? ")"
                           : "; --step selects others)")
                : "");
  std::string Text = change(Subject, *First);
  if (Found > 1)
    Text += fmt::format("; {} more {} worth a change", count(Found - 1),
                        Found == 2 ? "wait is" : "waits are");
  return Text;
}

std::string report::headline(const Input &Subject) {
  return cutOffWarning(Subject) + answer(Subject);
}

std::optional<bool> report::hasWorthwhileChange(const Input &Subject) {
  if (llvm::any_of(Subject.R.Sites, isFinding) || bestTransfer(Subject))
    return true;
  if (!Subject.R.WaitsKnown || Subject.T.Info.Source.LacksWaits ||
      Subject.T.Unread.BytesDropped)
    return std::nullopt;
  return false;
}
