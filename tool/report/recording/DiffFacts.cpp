// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/Facts.h"
#include "analysis/profile/Kernels.h"
#include "report/Format.h"
#include "report/recording/DiffText.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

std::string report::pinnedText(const Fact &F) {
  const std::string Name = siteName(*F.Site);
  const char *Memory = F.Kind == FactKind::Pinned ? "pinned" : "pageable";
  const std::string Change =
      F.NewSite == F.Site
          ? fmt::format("{} uses {} memory now", Name, Memory)
          : fmt::format("{} now copies what {} copied, with {} memory",
                        siteName(*F.NewSite), Name, Memory);
  return fmt::format("{}: {} per step on the GPU", Change,
                     durationChange(int64_t(F.Base), int64_t(F.New)));
}

std::string report::factText(const Difference &D, const Fact &F) {
  constexpr size_t Most = 100; // Of a command line or a name.
  const char *Per = D.PerStep ? " per step" : " in total";
  auto Short = [](const std::string &Text, const char *Nothing) {
    return Text.empty() ? Nothing : cut(Text, Most, /*AtEnd=*/true);
  };
  auto Name = [&F] { return siteName(*F.Site); };
  switch (F.Kind) {
  case FactKind::Gone:
    return fmt::format("{} no longer runs; it waited {}{}", Name(),
                       duration(F.Site->BaseWait), Per);
  case FactKind::Added:
    return fmt::format("{} is new; it waits {}{}", Name(),
                       duration(F.Site->NewWait), Per);
  case FactKind::GoneNear:
    return fmt::format("{} no longer runs ({:.3g} per step); it did not wait",
                       Name(), F.Base);
  case FactKind::AddedNear:
    return fmt::format("{} is new ({:.3g} per step); it does not wait", Name(),
                       F.New);
  case FactKind::NoLongerWaits:
    return fmt::format("{} still runs, but no longer waits ({}{} before)",
                       Name(), duration(F.Site->BaseWait), Per);
  case FactKind::NowWaits:
    return fmt::format("{} ran before, and now waits {}{}", Name(),
                       duration(F.Site->NewWait), Per);
  case FactKind::CallsPerStep:
    return fmt::format("{}: {:.3g} -> {:.3g} calls per step", Name(), F.Base,
                       F.New);
  case FactKind::Pinned:
  case FactKind::Unpinned:
    return pinnedText(F);
  case FactKind::LeadKept:
    return fmt::format("the GPU has work queued at the end of a step ({}); "
                       "before, it had none",
                       duration(D.Step->NewLead));
  case FactKind::LeadDrained:
    return fmt::format("the GPU has no work queued at the end of a step; "
                       "before, it had {}",
                       duration(D.Step->BaseLead));
  case FactKind::CommandLine:
    return fmt::format("command line: {} -> {}", Short(F.BaseText, "(nothing)"),
                       Short(F.NewText, "(nothing)"));
  case FactKind::Environment:
    return fmt::format("environment: {} -> {}", Short(F.BaseText, "(not set)"),
                       Short(F.NewText, "(not set)"));
  }
  return "";
}
