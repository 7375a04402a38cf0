// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/Facts.h"
#include "report/Format.h"
#include "report/recording/DiffText.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

std::string report::factText(const Difference &D, const Fact &F) {
  const char *Per = D.PerStep ? " per step" : "";
  auto Name = [&F] { return siteName(*F.Site); };
  switch (F.Kind) {
  case FactKind::Gone:
    return fmt::format("{} is gone; it waited {}{}", Name(),
                       duration(F.Site->BaseWait), Per);
  case FactKind::Added:
    return fmt::format("{} is new; it waits {}{}", Name(),
                       duration(F.Site->NewWait), Per);
  case FactKind::NoLongerWaits:
    return fmt::format("{} still runs, but no longer waits ({}{} before)",
                       Name(), duration(F.Site->BaseWait), Per);
  case FactKind::NowWaits:
    return fmt::format("{} ran before, and now waits {}{}", Name(),
                       duration(F.Site->NewWait), Per);
  case FactKind::CallsPerStep:
    return fmt::format("{}: {:.3g} -> {:.3g} calls per step", Name(), F.Base,
                       F.New);
  case FactKind::LeadKept:
    return fmt::format("the GPU has work queued at the end of a step ({}); "
                       "before, it had none",
                       duration(D.Step->NewLead));
  case FactKind::LeadDrained:
    return fmt::format("the GPU has no work queued at the end of a step; "
                       "before, it had {}",
                       duration(D.Step->BaseLead));
  }
  return "";
}

std::vector<std::string> report::factLines(const Difference &D, bool All) {
  constexpr size_t Most = 8;
  const std::vector<Fact> Facts = findFacts(D);
  std::vector<std::string> Lines;
  for (const Fact &F : Facts) {
    if (Lines.size() == Most && !All) {
      Lines.push_back(fmt::format("{} more (--all)", Facts.size() - Most));
      break;
    }
    Lines.push_back(factText(D, F));
  }
  return Lines;
}

llvm::StringRef report::factHeading() { return "What the program does now"; }
