// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/Statistics.h"
#include "analysis/comparison/Facts.h"
#include "report/Format.h"
#include "report/recording/DiffText.h"

#include <fmt/format.h>

#include <cmath>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
using Runs = std::vector<RunSummary>;

int64_t report::span(const Runs &Side) {
  std::vector<int64_t> Values;
  for (const RunSummary &S : Side)
    Values.push_back(S.R.Span);
  return median(std::move(Values));
}

namespace {

/// Whether the wait changed by more than a hundredth of a step, or of the span.
bool isNoticeable(const Difference &D, const SiteChange &C) {
  if (!C.BaseWait || !C.NewWait)
    return false;
  int64_t Whole = D.PerStep ? D.Step->BaseMedian : span(D.Base);
  return std::abs(*C.NewWait - *C.BaseWait) > Whole / 100;
}

/// For a site that waited on the other side only, and may have waited here.
std::string notReachedSentence(const Difference &D, const SiteChange &C) {
  const bool InNew = C.InNew == Presence::NotReached;
  const Runs &Side = InNew ? D.New : D.Base;
  return fmt::format("{} was not reached in the {} recording, which {} ({}{} "
                     "in the {} recording)",
                     siteName(C), InNew ? "new" : "base",
                     Side[0].Limited ? "covers only part of the run"
                                     : "ends before the program",
                     duration(InNew ? C.BaseWait : C.NewWait),
                     D.PerStep ? " of wait per step" : " of wait",
                     InNew ? "base" : "new");
}

/// The sites that stopped and began waiting and have changed most: certain from
/// one run on a side. "": there is none.
std::string structuralSentence(const Difference &D) {
  const char *Per = D.PerStep ? " per step" : " in total";
  const SiteChange *Gone = nullptr, *Begun = nullptr;
  for (const SiteChange &C : D.Sites) {
    if (C.BaseWait.has_value() != C.NewWait.has_value()) {
      if (!Gone && !Begun)
        return notReachedSentence(D, C);
      continue;
    }
    if (!isNoticeable(D, C))
      continue;
    if (!Gone && !*C.NewWait)
      Gone = &C;
    if (!Begun && !*C.BaseWait)
      Begun = &C;
  }
  std::string Text;
  if (Gone)
    Text = fmt::format("{} no longer waits ({}{} before)", siteName(*Gone),
                       duration(*Gone->BaseWait), Per);
  // Of whole runs it may be any call, also one at the end.
  if (Begun && (!Gone || D.PerStep))
    Text += fmt::format("{}{} now waits {}{}", Gone ? ", and " : "",
                        siteName(*Begun), duration(*Begun->NewWait), Per);
  return Text;
}

/// Whether its wait was worth changing, or left the GPU idle for more than a
/// thousandth of a step, or of the span.
bool isOfNote(const Difference &D, const SiteRow *Row,
              const std::optional<int64_t> &Exposed) {
  const int64_t Whole = D.PerStep ? D.Step->BaseMedian : span(D.Base);
  const bool Inside = Row && (!D.PerStep || (Row->Steps && Row->Steps->Waits));
  return Inside &&
         (isChange(Row->Judged.Kind) || Exposed.value_or(0) > Whole / 1000);
}

/// A short wait whose removal, or addition, matters all the same. "": none.
std::string shortWaitSentence(const Difference &D) {
  const char *Per = D.PerStep ? " per step" : " in total";
  for (const SiteChange &C : D.Sites) {
    if (C.InBase == Presence::Ran && C.InNew == Presence::NotRun &&
        isOfNote(D, C.Base, C.BaseExposed))
      return fmt::format(
          "{} no longer runs; it waited {}{} and left the GPU idle "
          "for {}",
          siteName(C), duration(C.BaseWait), Per, duration(C.BaseExposed));
    if (C.InBase == Presence::NotRun && C.InNew == Presence::Ran &&
        isOfNote(D, C.New, C.NewExposed))
      return fmt::format("{} is new; it waits {}{} and leaves the GPU idle for "
                         "{}",
                         siteName(C), duration(C.NewWait), Per,
                         duration(C.NewExposed));
  }
  return "";
}

} // namespace

/// Of a fact of kind Pinned or Unpinned.
static std::string pinnedText(const Fact &F) {
  return fmt::format("{} uses {} memory now: {} per step on the GPU",
                     siteName(*F.Site),
                     F.Kind == FactKind::Pinned ? "pinned" : "pageable",
                     durationChange(int64_t(F.Base), int64_t(F.New)));
}

std::string report::waitSentence(const Difference &D) {
  if (!haveGpuWork(D))
    return "Waits cannot be compared because a trace has no GPU work";
  if (std::string Text = structuralSentence(D); !Text.empty())
    return Text;
  for (const Fact &F : findFacts(D))
    if (F.Kind == FactKind::Pinned || F.Kind == FactKind::Unpinned)
      return pinnedText(F);
  const char *Per = D.PerStep ? " per step" : " in total";
  for (const SiteChange &C : D.Sites)
    if (isNoticeable(D, C))
      return fmt::format("No site began or stopped waiting ({} waits {}{} in "
                         "these {}recordings)",
                         siteName(C), durationChange(*C.BaseWait, *C.NewWait),
                         Per, D.Base.size() + D.New.size() == 2 ? "two " : "");
  if (std::string Text = shortWaitSentence(D); !Text.empty())
    return Text;
  return "No site waits noticeably more or less than before";
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
