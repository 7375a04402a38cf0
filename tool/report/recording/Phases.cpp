// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Format.h"
#include "report/JsonFields.h"
#include "report/recording/JsonParts.h"
#include "report/recording/Sentences.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

/// ns, what shares of phases are of: from the first to the last GPU operation;
/// without any, the run.
static int64_t phaseBasis(const Result &R) {
  return R.Span ? R.Span : R.Recorded;
}

static std::string shareOf(const Input &Subject, const PhaseSums &P) {
  return percent(double(P.Time), double(phaseBasis(Subject.R)));
}

/// As a shell takes it: names may have blanks, and functions have parentheses.
static std::string option(llvm::StringRef Name) {
  const bool IsPlain = llvm::all_of(Name, [](char C) {
    return llvm::isAlnum(C) || llvm::StringRef("_:./,=-").contains(C);
  });
  if (IsPlain)
    return ("--step=" + Name).str();
  std::string Quoted = "--step='";
  for (char C : Name)
    Quoted += C == '\'' ? std::string("'\\''") : std::string(1, C);
  return Quoted + "'";
}

static std::string perStepOf(const PhaseSums &P, int64_t Sum) {
  return duration(Sum / int64_t(P.Steps));
}

std::string report::elsewhereSentence(const Input &Subject) {
  if (!Subject.R.WaitsElsewhere)
    return "";
  const PhaseSums &P = Subject.R.Phases[*Subject.R.WaitsElsewhere];
  return fmt::format(
      "Waits elsewhere leave the GPU idle: {} of each step of {} in another "
      "phase, {} ({} of the time; {} reports it).",
      perStepOf(P, P.Exposed), duration(P.mean()), P.Source,
      shareOf(Subject, P), option(P.Name));
}

std::vector<std::string> report::otherPhases(const Input &Subject) {
  std::vector<std::string> Lines;
  for (const PhaseSums &P : llvm::ArrayRef(Subject.R.Phases)
                                .drop_front(Subject.R.Phases.empty() ? 0 : 1)) {
    if (100 * P.Time < phaseBasis(Subject.R))
      continue;
    const std::string Waits =
        !Subject.R.WaitsKnown ? ""
        : P.Waited ? fmt::format(", waits {} per step", perStepOf(P, P.Waited))
                   : ", does not wait";
    Lines.push_back(fmt::format("{}: {} steps of {}, {} of the time{}: {}",
                                P.Source, count(P.Steps), duration(P.mean()),
                                shareOf(Subject, P), Waits, option(P.Name)));
  }
  return Lines;
}

std::string report::phaseShare(const Input &Subject) {
  return otherPhases(Subject).empty()
             ? ""
             : ", " + shareOf(Subject, Subject.R.Phases[0]) + " of the time";
}

std::string report::innerText(const Input &Subject) {
  const std::optional<InnerSteps> &Inner = Subject.R.Steps.Inner;
  if (!Inner)
    return "";
  const Steps &S = Subject.R.Steps;
  return fmt::format(
      "{}: {:.3g} runs per step, with {} of the steps' GPU work: {}",
      Inner->Source, double(Inner->Runs) / double(S.List.size() + S.Empty),
      percent(Inner->GpuShare, 1), option(Inner->Name));
}

void report::phaseFields(Fields &F, const Input &Subject) {
  F.list(
      "phases",
      "loops, functions or ranges that run one after the other "
      "([reports-reference.md](reports-reference.md#phases)): first that of "
      "`steps`, then by GPU time. Sums over all steps, warm-up included; "
      "empty without steps",
      Subject.R.Phases, [&](const PhaseSums &P) {
        F.text("source", "where its steps come from", P.Source);
        F.text("step", "what `--step` takes to report it; null: it has no name",
               P.Name);
        F.field("count", "its steps", P.Steps);
        F.field("time_ns",
                "the time of its steps, as `steps.clock` counts it, without "
                "what other phases take in between",
                P.Time);
        F.field("gpu_ns", "sum of the GPU operations launched in it", P.Gpu);
        const bool Known = Subject.R.WaitsKnown;
        F.field("wait_ns", "sum of its waits", onlyIf(Known, P.Waited));
        F.field("exposed_ns", "their exposed stall", onlyIf(Known, P.Exposed));
      });
  std::optional<size_t> Elsewhere = Subject.R.WaitsElsewhere;
  F.field("waits_elsewhere",
          "index in `phases[]` of the phase whose waits leave the GPU idle for "
          "a hundredth of its time or more, where nothing in `steps` is worth "
          "a change; null: none",
          Elsewhere);
}

void report::innerFields(Fields &F, const Input &Subject) {
  const std::optional<InnerSteps> &Inner = Subject.R.Steps.Inner;
  F.object("inner",
           "the outermost loop or range inside the steps that runs three times "
           "in each and launches at least three quarters of their GPU work; "
           "null: none",
           Inner, [&](const InnerSteps &I) {
             F.text("source", "where it is", I.Source);
             F.text("step", "what `--step` takes to report it", I.Name);
             F.field("runs", "in all steps", I.Runs);
             F.field("gpu_share", "its part of the steps' GPU work",
                     I.GpuShare);
           });
}
