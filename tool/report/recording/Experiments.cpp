// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Experiments.h"

#include "prices/Patch.h"
#include "report/Format.h"
#include "report/JsonFields.h"
#include "report/compare/TrialsFile.h"
#include "report/recording/CallName.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

const char *report::switchedWords(Switched How) {
  constexpr const char *Words[] = {"left out", "narrowed", "late", "not read",
                                   "pinned",   "kept",     "kept", "no wait"};
  return Words[unsigned(How)];
}

/// "train.cu:88 cudaMemcpy".
static std::string nameOf(const ExperimentsInput &I, const Experiment &E) {
  if (E.How == Switched::PoolKept)
    return "default memory pool";
  if (E.Rows.empty())
    return "together";
  const SiteRow &Row = I.R.Sites[E.Rows[0]];
  if (Row.Site == trace::None)
    return callName(Row).str();
  const trace::Site &S = I.T.Sites[Row.Site];
  return place(S) + " " +
         (S.Expression.empty() ? callName(Row).str() : S.Expression);
}

static std::string signedDuration(double Ns) {
  return (Ns < 0 ? "-" : "") + duration(int64_t(std::abs(Ns)));
}

/// "11.2 us, 4.3 %", "nothing", "3.00 us, 1.1 % longer".
static std::string savedText(const Experiment &E) {
  const TrialsJudged &J = *E.Judged;
  const double Saved = -J.Change * double(J.BaseTime);
  if (J.Differs)
    return duration(int64_t(std::abs(Saved))) + ", " +
           percent(std::abs(J.Change), 1) + (Saved < 0 ? " longer" : "");
  return J.ShowsNone ? "nothing" : "not certain";
}

std::string report::savedRange(const Interval &Saved) {
  if (Saved.Low >= 0)
    return durations(int64_t(Saved.Low), int64_t(Saved.High));
  return signedDuration(Saved.Low) + " to " + signedDuration(Saved.High);
}

static std::string whyNot(const Experiment &E) {
  constexpr const char *Reasons[] = {"too few runs",
                                     "not tried: compile it with autoprof",
                                     "not tried: see --max and --site",
                                     "no call there can be changed",
                                     "failed with exit code ",
                                     "took too long, and was ended",
                                     "launches differently",
                                     "not tried: no time was left",
                                     "waits for nothing alone"};
  return Reasons[unsigned(E.Why)] +
         (E.Why == NoResult::Failed ? std::to_string(E.ExitCode) : "");
}

static const char *outputText(const Experiment &E) {
  constexpr const char *Texts[] = {"-", "equal", "differs", "varies"};
  return Texts[E.Why == NoResult::None ? unsigned(E.Output) : 0];
}

static void addRow(Table &T, const ExperimentsInput &I, const Experiment &E) {
  const bool IsKnown = E.Judged && E.Why == NoResult::None;
  const std::optional<Interval> Saved = IsKnown ? E.saved() : std::nullopt;
  T.addRow({nameOf(I, E), switchedWords(E.How),
            E.Predicted
                ? durations(std::max<int64_t>(0, int64_t(E.Predicted->Low)),
                            int64_t(E.Predicted->High))
                : "-",
            IsKnown ? savedText(E) : whyNot(E),
            Saved ? savedRange(*Saved) : "-", outputText(E)});
  if (E.Why == NoResult::Failed && !E.Message.empty())
    T.addNote(E.Message, "Printed");
}

/// The experiment with the largest gain that is certain; null: none.
static const Experiment *bestOf(const ExperimentSeries &S) {
  const Experiment *Best = nullptr;
  auto Take = [&Best](const Experiment &E) {
    if (E.gains(0) && (!Best || E.Judged->Change < Best->Judged->Change))
      Best = &E;
  };
  for (const Experiment &E : S.All)
    Take(E);
  for (const Experiment &E : S.Together)
    Take(E);
  return Best;
}

static std::string answer(const ExperimentsInput &I) {
  const Experiment *Best = bestOf(I.S);
  if (!Best)
    return llvm::any_of(I.S.All,
                        [](const Experiment &E) {
                          return E.Judged && E.Why == NoResult::None;
                        })
               ? "No change makes the step shorter, as far as these runs can "
                 "tell."
           : I.S.All.empty() ? "No call waits for the GPU in the steps, so "
                               "there is nothing to try."
                             : "Nothing could be measured.";
  const TrialsJudged &J = *Best->Judged;
  return fmt::format("{}, {}: step {} ({}{}).", nameOf(I, *Best),
                     switchedWords(Best->How),
                     comparedDurations(J.BaseTime, J.NewTime, J.NewTime),
                     signedPercent(J.Change),
                     J.Range ? fmt::format(", 95 % interval {} to {}",
                                           signedPercent(J.Range->Low),
                                           signedPercent(J.Range->High))
                             : "");
}

/// What the changes did to the program, a sentence each.
static void addMeanings(Section &S, const ExperimentSeries &Series) {
  auto Say = [&](Switched How, const char *Text) {
    auto IsThis = [How](const Experiment &E) {
      return E.How == How && E.Judged;
    };
    if (llvm::any_of(Series.All, IsThis) ||
        llvm::any_of(Series.Together, IsThis))
      S.say(Text, Paragraph::Note);
  };
  Say(Switched::Late,
      "late: the program went on with the value of the step before, "
      "so what it computes from it may differ.");
  Say(Switched::NotRead, "not read: it went on with one old value, as if that "
                         "stayed on the GPU.");
  Say(Switched::LeftOut,
      "left out: the host did not wait, and may have read what the GPU had not "
      "written yet. Whether the program needs the wait, this does not show.");
  Say(Switched::Narrowed,
      "narrowed: the host waited for the stream on which it "
      "launched last, and not for the others.");
  Say(Switched::Staged, "pinned: the CPU copied it to pinned memory first.");
  Say(Switched::Kept,
      "kept: memory is not freed, and allocated again for the same size.");
  Say(Switched::PoolKept, "kept: the pools gave no memory back.");
  Say(Switched::NotWaiting, "no wait: whatever waits at that place.");
  S.say(
      "This is about what a change can bring; short parts make it look "
      "smaller. Changed runs may have computed with old values, also what they "
      "wrote to files. Make the change in the source, and compare (autoprof "
      "compare).",
      Paragraph::Note);
}

/// "float(loss) at loop.py:30", which cannot be tried, because no call of its
/// thread waits; "": there is none.
static std::string sleepingLine(const ExperimentsInput &I) {
  constexpr double Least = 0.05;
  const auto &H = I.R.Lines;
  if (!H || H->Sleeping.empty() ||
      double(H->Sleeping[0].Waits) < Least * double(H->Samples))
    return "";
  const trace::Site &S = I.T.Sites[H->Sleeping[0].Site];
  return S.Expression + (S.Expression.empty() ? "" : " at ") + place(S);
}

Document report::experimentsDocument(const ExperimentsInput &I,
                                     const TextStyle & /*Style*/) {
  Document D;
  D.Title = "autoprof: experiments";
  D.Origin = llvm::join(I.S.Command, " ");
  D.Answer.say(answer(I), Paragraph::Answer);
  std::vector<int64_t> Times = I.S.Base;
  llvm::sort(Times);
  std::string About =
      fmt::format("{} runs in {}", count(I.S.Runs), duration(I.S.Time));
  if (!Times.empty())
    About +=
        fmt::format("; step {} ({} between processes)", duration(median(Times)),
                    durations(Times.front(), Times.back()));
  if (I.S.RecorderFactor && *I.S.RecorderFactor >= 1)
    About += fmt::format("; recording it makes it {:.2f} times as long",
                         *I.S.RecorderFactor);
  D.Answer.say(About + ".");
  if (const std::string Line = sleepingLine(I); !Line.empty())
    D.Answer.say("Not tried: " + Line +
                 ", which sleeps until another thread has waited for the GPU.");
  Section S;
  S.Heading = "Changes, one by one and together";
  S.Id = "changes";
  Table T({{"change", true},
           {"how", true},
           {"predicted"},
           {"saves/step"},
           {"95 % interval"},
           {"output", true}});
  for (const Experiment &E : I.S.All)
    addRow(T, I, E);
  for (const Experiment &E : I.S.Together)
    addRow(T, I, E);
  if (!T.empty()) {
    S.add(std::move(T));
    addMeanings(S, I.S);
  }
  D.Sections.push_back(std::move(S));
  return D;
}

static void experimentFields(Fields &F, const ExperimentsInput &I,
                             const Experiment &E) {
  F.list("sites", "the calls that it changes; empty: not of one place", E.Rows,
         [&](uint32_t Row) {
           callFields(F, siteAt(I.T, I.R.Sites[Row].Site), I.R.Sites[Row].Call);
         });
  F.choice("how",
           "what becomes of the calls ([try.md](try.md)); `pool_kept`: no call "
           "but the default memory pools",
           E.How, Switched::NotWaiting);
  F.field("predicted_low_ns",
          "what the recording predicts, per step; null: nothing",
          of(E.Predicted, &Interval::Low));
  F.field("predicted_high_ns", "at most", of(E.Predicted, &Interval::High));
  const std::optional<Interval> Saved =
      E.Why == NoResult::None ? E.saved() : std::nullopt;
  F.field("saved_low_ns",
          "what it saves per step, the lower end of the 95 % "
          "interval; null: not known",
          of(Saved, &Interval::Low), Bounds::Any);
  F.field("saved_high_ns", "its upper end", of(Saved, &Interval::High),
          Bounds::Any);
  F.choice("not_measured", "why there is no result; null: there is one", E.Why,
           NoResult::Drained);
  F.text("message", "the last line that a run which failed printed", E.Message);
  F.field("changed", "calls that were changed in a whole run", E.Changed);
  F.field("exit_code", "of a run that was changed as a whole", E.ExitCode,
          Bounds::Any);
  constexpr llvm::StringRef Outputs[] = {"", "equal", "different", "varying"};
  F.choice("output",
           "what the program printed, against what it prints without the "
           "change; `varying`: not even that is always the same; null: not "
           "known",
           Outputs[unsigned(E.Output)], Outputs);
  F.object("result", "what the runs show; null: there are too few", E.Judged,
           [&](const TrialsJudged &J) { judgementFields(F, E.Parts, J); });
}

void report::experimentsFields(Fields &F, const ExperimentsInput &I) {
  F.format(ExperimentsSchema,
           "What `autoprof try` prints with `--format=json`, and writes as "
           "`try.json`. `autoprof report --try` reads it.");
  F.field("answer", "one sentence", answer(I));
  F.field("command", "program and arguments", I.S.Command);
  F.field("step", "what a step is, as `--step` takes it", I.S.Step);
  F.text("gpu", "name of the GPU; null: not known",
         I.T.Devices.empty() ? "" : I.T.Devices.front().Name);
  F.field("time_ns", "that all of it took", I.S.Time);
  F.field("runs", "of the program, besides the recorded one", I.S.Runs);
  F.field("base_ns", "the step without a change, in each process", I.S.Base);
  F.field("recorder_factor",
          "a recorded step, divided by one that is not; null: not known",
          I.S.RecorderFactor);
  F.text("sleeping",
         "a line that sleeps until another thread has waited for the GPU, "
         "which cannot be changed; null: there is none",
         sleepingLine(I));
  F.list("experiments", "best first, as the recording has it", I.S.All,
         [&](const Experiment &E) { experimentFields(F, I, E); });
  F.list("together",
         "all that can be changed, at once: with copies one step late, and not "
         "read; empty: not tried",
         I.S.Together, [&](const Experiment &E) { experimentFields(F, I, E); });
  const prices::Patch *None = nullptr;
  F.object("patch",
           "of `--patch`, which adds it to the file; null: not asked for", None,
           [&](const prices::Patch &P) { P.listFields(F); });
}

void report::writeExperiments(llvm::raw_ostream &Out, const ExperimentsInput &I,
                              const TextStyle & /*Style*/) {
  writeFields(Out, [&](Fields &F) { experimentsFields(F, I); }, /*Indent=*/1);
}
