// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Phases.h"

#include "report/Format.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

int64_t report::phaseBasis(const Result &R) {
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
