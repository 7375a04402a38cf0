// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/DiffText.h"

#include "analysis/common/KernelName.h"
#include "report/Format.h"
#include "report/compare/TrialsText.h"
#include "report/recording/CallName.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <cmath>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

/// The largest difference between two runs that nothing was changed in, as a
/// part of the base: it is known of the longer step as a part of the shorter
/// one, so a decrease has a smaller limit. `S.RunsVary` is known.
static double variationLimit(const StepChange &S) {
  const double Known = S.RunsVary.value_or(0);
  return S.Change < 0 ? 1 - 1 / (1 + Known) : Known;
}

/// "up to 30 %".
static std::string variationFigure(const StepChange &S) {
  const double Limit = variationLimit(S);
  return fmt::format(Limit < 0.1 ? "up to {:.2g} %" : "up to {:.0f} %",
                     100 * Limit);
}

namespace {

using Runs = std::vector<RunSummary>;

int64_t medianOver(const Runs &Side,
                   llvm::function_ref<int64_t(const RunSummary &)> Value) {
  std::vector<int64_t> Values;
  for (const RunSummary &S : Side)
    Values.push_back(Value(S));
  return median(std::move(Values));
}

/// "within the known variation (runs of other programs of this kind differ by
/// up to 30 %)".
std::string variationText(const StepChange &S) {
  return fmt::format(
      "{} the known variation (runs of {} differ by {})",
      std::abs(S.Change) > variationLimit(S) ? "more than" : "within",
      S.OwnVariation ? "this program" : "other programs of this kind",
      variationFigure(S));
}

std::string medians(const StepChange &S) {
  return comparedDurations(S.BaseMedian, S.NewMedian, S.NewMedian);
}

/// For one run on a side: a change, and its significance.
std::string untestedSentence(const StepChange &S) {
  return fmt::format("Median step time {} ({}) with one run per side, {}.",
                     medians(S), signedPercent(S.Change), variationText(S));
}

std::string stepSentence(const StepChange &S) {
  std::string Times = medians(S);
  if (!S.Enough && S.Basis == StepBasis::OneRun)
    return fmt::format(
        "Median step time {} ({}) with one run per side, of only "
        "{} and {} steps{}.",
        Times, signedPercent(S.Change), S.BaseCount, S.NewCount,
        S.RunsVary ? ", " + variationText(S) : "");
  if (!S.Enough)
    return fmt::format(
        "Median step time {} ({}){}; {} and {} steps are too few for a "
        "test (at least {} per side are needed).",
        Times, signedPercent(S.Change),
        S.RunsVary ? ", " + variationText(S) : "", S.BaseCount, S.NewCount,
        MinSteps);
  if (S.Basis == StepBasis::OneRun)
    return untestedSentence(S);
  if (S.Significant)
    return fmt::format("Median step time {} ({}, {}; {} and {} runs).", Times,
                       signedPercent(S.Change), pValue(S.P), S.BaseRuns,
                       S.NewRuns);
  return fmt::format("Median step time {}: no significant change ({}, {}; {} "
                     "and {} runs); a change "
                     "of less than {} could not have been detected.",
                     Times, signedPercent(S.Change), pValue(S.P), S.BaseRuns,
                     S.NewRuns, percent(S.Visible, 1));
}

std::string presenceText(Presence P, const std::optional<int64_t> &Ns) {
  switch (P) {
  case Presence::Ran:
    return duration(Ns);
  case Presence::NotRun:
    return "not run";
  case Presence::NotReached:
    return "not reached";
  }
  return "";
}

/// Rows of the table of both sides.
class Sides {
  const Difference &D;
  Table T;

public:
  Sides(const Difference &D, const char *Title)
      : D(D), T({{Title, true}, {"base"}, {"new"}}) {}

  using Value = llvm::function_ref<int64_t(const RunSummary &)>;
  void add(const char *Name, Value Get,
           llvm::function_ref<std::string(int64_t)> Text) {
    T.addRow(
        {Name, Text(medianOver(D.Base, Get)), Text(medianOver(D.New, Get))});
  }
  void addTime(const char *Name, Value Get) {
    add(Name, Get, [](int64_t Ns) { return duration(Ns); });
  }
  /// Of several runs the median of their shares.
  void addShare(const char *Name, Value Part, Value Whole) {
    constexpr double Millionths = 1e6;
    add(
        Name,
        [&](const RunSummary &S) {
          int64_t Total = Whole(S);
          return Total > 0
                     ? int64_t(Millionths * double(Part(S)) / double(Total))
                     : 0;
        },
        [](int64_t Share) { return percent(double(Share), Millionths); });
  }
  void addText(const char *Name,
               llvm::function_ref<std::string(const RunSummary &)> Get) {
    auto All = [&](const Runs &Side) {
      std::string First = Get(Side[0]);
      return llvm::all_of(Side,
                          [&](const RunSummary &S) { return Get(S) == First; })
                 ? First
                 : std::string("differs");
    };
    T.addRow({Name, All(D.Base), All(D.New)});
  }
  Table finish() { return std::move(T); }
};

Table stepRows(const Difference &D) {
  Sides T(D, "steps");
  auto Span = [](const RunSummary &S) { return S.R.InSteps->Span; };
  if (D.Mismatch) {
    T.addText("step", [](const RunSummary &S) {
      const Steps &Of = S.R.Steps;
      return Of.Name.empty() ? Of.Source : Of.Name; // The name is shorter.
    });
    T.addText("step time measured on", [](const RunSummary &S) {
      return std::string(S.R.Steps.FromGpu ? "GPU" : "host");
    });
  }
  T.add(
      "measured steps",
      [](const RunSummary &S) { return int64_t(S.R.InSteps->Count); },
      [](int64_t N) { return count(uint64_t(N)); });
  T.addTime("step time, median",
            [](const RunSummary &S) { return median(S.R.Steps.times()); });
  T.addTime("step time, p95", [](const RunSummary &S) {
    return quantile(S.R.Steps.times(), 0.95);
  });
  T.addShare(
      "GPU busy", [](const RunSummary &S) { return S.R.InSteps->Busy; }, Span);
  T.addShare(
      "pauses, and waits for other streams",
      [](const RunSummary &S) { return S.R.InSteps->pauses(); }, Span);
  auto Late = [](const RunSummary &S) { return S.R.InSteps->late(); };
  auto IsLate = [Late](const RunSummary &S) { return Late(S) > 0; };
  if (llvm::any_of(D.Base, IsLate) || llvm::any_of(D.New, IsLate))
    T.addShare("queued work that started late", Late, Span);
  T.addShare(
      "GPU without work",
      [](const RunSummary &S) { return S.R.InSteps->starved(); }, Span);
  T.addShare(
      "exposed stall of waits",
      [](const RunSummary &S) { return S.R.InSteps->exposed(); }, Span);
  T.addShare(
      "CPU waiting", [](const RunSummary &S) { return S.R.InSteps->Waited; },
      [](const RunSummary &S) { return S.R.InSteps->HostTime; });
  if (D.Base[0].R.Steps.FromGpu && D.New[0].R.Steps.FromGpu)
    T.addTime("lead at step end, median",
              [](const RunSummary &S) { return median(S.R.Steps.leads()); });
  T.addText("what bounds the steps", [](const RunSummary &S) {
    return analysis::phrase(S.R.InSteps->Limit).str();
  });
  return T.finish();
}

Table runRows(const Difference &D) {
  Sides T(D, "run");
  T.addTime("wall time", [](const RunSummary &S) { return S.R.Wall; });
  if (!haveGpuWork(D))
    return T.finish();
  T.addTime("GPU's span", [](const RunSummary &S) { return S.R.Span; });
  T.addShare(
      "CPU waiting", [](const RunSummary &S) { return S.R.Waited; },
      [](const RunSummary &S) { return S.R.Span; });
  auto Number = [](int64_t N) { return count(uint64_t(N)); };
  T.add(
      "queue ran dry", [](const RunSummary &S) { return int64_t(S.R.Drains); },
      Number);
  T.add(
      "after a wait",
      [](const RunSummary &S) { return int64_t(S.R.WaitDrains); }, Number);
  return T.finish();
}

} // namespace

std::string report::siteName(const SiteChange &C) {
  return placeAndCall(C.New ? *C.NewPlace : *C.BasePlace, callName(C.row()));
}

/// "probably train.cu:88 before (its function was train)"; "" when certain.
static std::string guessText(const SiteChange &C) {
  if (C.Guess.empty() || !C.Base || !C.New)
    return "";
  return fmt::format("probably {} in the base: {}", place(*C.BasePlace),
                     C.Guess);
}

std::string report::diffTitle(const Runs &Side) {
  std::string Paths = Side[0].Path;
  for (const RunSummary &S : llvm::drop_begin(Side))
    Paths += ", " + S.Path;
  return Side.size() == 1 ? Paths
                          : fmt::format("{} runs: {}", Side.size(), Paths);
}

std::string report::diffEffect(const Difference &D) {
  if (D.Judged)
    return trialsSentence(*D.Compared, *D.Judged);
  if (D.Step)
    return stepSentence(*D.Step);
  const std::string Span =
      "The GPU's span changed: " + durationChange(span(D.Base), span(D.New)) +
      ".";
  return D.Mismatch ? mismatchSentence(D) + " " + Span : Span;
}

std::string report::diffCause(const Difference &D) {
  std::string Text = waitSentence(D);
  if (D.Step && D.Base[0].R.Steps.FromGpu)
    Text += "; lead at step end " +
            (D.Step->BaseLead == D.Step->NewLead
                 ? "stays " + duration(D.Step->BaseLead)
                 : durationChange(D.Step->BaseLead, D.Step->NewLead));
  return Text + ".";
}

Section report::waitChangeSection(const Difference &D) {
  Section S;
  S.Heading = D.PerStep ? "Sites that wait in the steps (wait and exposed "
                          "stall, means per step)"
                        : "Sites that wait (total wait and exposed stall)";
  S.Id = "changes";
  S.Link = "What changed";
  Table T(
      {{"site", true}, {"wait, base"}, {"new"}, {"exposed, base"}, {"new"}});
  auto Waits = [&D](const SiteRow *R) {
    return R && (D.PerStep ? R->Steps->Waits : R->Waits);
  };
  for (const bool AreWaiting : {true, false}) {
    for (const SiteChange &C : D.Sites) {
      if ((Waits(C.Base) || Waits(C.New)) != AreWaiting)
        continue;
      T.addRow({siteName(C), presenceText(C.InBase, C.BaseWait),
                presenceText(C.InNew, C.NewWait),
                presenceText(C.InBase, C.BaseExposed),
                presenceText(C.InNew, C.NewExposed)});
      T.addNote(guessText(C));
    }
    if (AreWaiting)
      T.Limit = T.size();
  }
  T.Others = "without waits";
  return S.add(std::move(T));
}

Section report::partChangeSection(const Difference &D) {
  constexpr size_t Most = 5;
  constexpr double Noticeable = 0.01; // A part of the step.
  Section S;
  S.Heading = "Changes in the steps (means per step: GPU time of kernels, host "
              "time of ranges)";
  Table T({{"kernel or range", true},
           {"count, base"},
           {"new"},
           {"time, base"},
           {"new"},
           {"of the step"}});
  for (const bool AreShown : {true, false}) {
    for (const PartChange &C : D.Parts)
      if ((std::abs(C.OfStep) >= Noticeable) == AreShown)
        T.addRow({C.IsKernel ? analysis::shortName(C.Name, SIZE_MAX)
                  : C.Place->File.empty() ? C.Name
                                          : place(*C.Place) + " " + C.Name,
                  fmt::format("{:.4g}", C.BaseCount),
                  fmt::format("{:.4g}", C.NewCount),
                  duration(int64_t(C.BaseTime)), duration(int64_t(C.NewTime)),
                  signedPercent(C.OfStep)});
    if (AreShown)
      T.Limit = std::min(T.size(), Most);
  }
  S.Where = T.Limit ? Shown::Everywhere : Shown::InFull;
  return S.add(std::move(T));
}

Section report::sidesSection(const Difference &D) {
  Section S;
  S.Heading = !ofSteps(D)  ? "In the whole run"
              : D.Mismatch ? "In the steps of each recording (not comparable)"
                           : "In the steps";
  S.Id = "sides";
  S.Link = "Side by side";
  return S.add(ofSteps(D) ? stepRows(D) : runRows(D));
}
