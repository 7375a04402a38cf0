// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/Facts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace autoprof::analysis;

namespace {

bool waits(const Difference &D, const SiteRow *Row) {
  return Row && (D.PerStep ? Row->waitsInSteps() : Row->Waits > 0);
}

std::optional<Fact> waitFact(const Difference &D, const SiteChange &C) {
  const bool Before = waits(D, C.Base), After = waits(D, C.New);
  if (Before == After || C.InBase == Presence::NotReached ||
      C.InNew == Presence::NotReached)
    return std::nullopt;
  if (Before)
    return Fact{C.New ? FactKind::NoLongerWaits : FactKind::Gone, &C};
  return Fact{C.Base ? FactKind::NowWaits : FactKind::Added, &C};
}

std::vector<std::string> words(llvm::StringRef CommandLine) {
  llvm::SmallVector<llvm::StringRef> Parts;
  CommandLine.split(Parts, ' ', -1, /*KeepEmpty=*/false);
  return {Parts.begin(), Parts.end()};
}

/// What lies between the common beginning and the common end, with the last
/// word of the beginning: an option before its value.
std::optional<Fact> commandLineFact(std::vector<std::string> Base,
                                    std::vector<std::string> New) {
  if (Base.empty() || New.empty() || Base == New)
    return std::nullopt;
  size_t Start = 0, End = 0;
  const size_t Shorter = std::min(Base.size(), New.size());
  while (Start < Shorter && Base[Start] == New[Start])
    ++Start;
  while (End < Shorter - Start &&
         Base[Base.size() - 1 - End] == New[New.size() - 1 - End])
    ++End;
  Start -= Start > 1; // The program alone does not help.
  auto Quoted = [&](const std::vector<std::string> &Words) {
    return llvm::join(llvm::ArrayRef(Words).drop_front(Start).drop_back(End),
                      " ");
  };
  return Fact{FactKind::CommandLine, nullptr, 0, 0, Quoted(Base), Quoted(New)};
}

void addStartFacts(const Difference &D, std::vector<Fact> &Out) {
  std::optional<Fact> F =
      D.Compared
          ? commandLineFact(D.Compared->Base.Command, D.Compared->New.Command)
          : commandLineFact(words(D.Base[0].Info.CommandLine),
                            words(D.New[0].Info.CommandLine));
  if (F)
    Out.push_back(std::move(*F));
  if (!D.Compared)
    return;
  const auto &Base = D.Compared->Base.Environment,
             &New = D.Compared->New.Environment;
  std::map<std::string, std::pair<std::string, std::string>> Values;
  for (const auto &[Name, Value] : Base)
    Values[Name].first = Name + "=" + Value;
  for (const auto &[Name, Value] : New)
    Values[Name].second = Name + "=" + Value;
  for (const auto &[Name, Texts] : Values)
    if (Texts.first != Texts.second)
      Out.push_back(
          {FactKind::Environment, nullptr, 0, 0, Texts.first, Texts.second});
}

double callsPerStep(const SiteRow &Row, const RunSummary &Run) {
  return double(Row.Count) / double(Run.R.Steps.List.size());
}

/// What a removed wait was replaced by, or what a new one replaced: a call that
/// does not wait, runs on one side only, in most steps, and is in the file of
/// one that waits on the other side only.
std::optional<Fact> nearFact(const Difference &D, const SiteChange &C,
                             const std::vector<Fact> &Waits) {
  constexpr double Most = 0.5;
  if (!D.PerStep || C.place().File.empty() || (C.Base && C.New) ||
      C.InBase == Presence::NotReached || C.InNew == Presence::NotReached)
    return std::nullopt;
  const FactKind Opposite = C.New ? FactKind::Gone : FactKind::Added;
  if (llvm::none_of(Waits, [&](const Fact &F) {
        return F.Kind == Opposite && F.Site->place().File == C.place().File;
      }))
    return std::nullopt;
  const double PerStep = callsPerStep(C.row(), C.New ? D.New[0] : D.Base[0]);
  if (PerStep < Most)
    return std::nullopt;
  return C.New ? Fact{FactKind::AddedNear, &C, 0, PerStep}
               : Fact{FactKind::GoneNear, &C, PerStep, 0};
}

/// Calls before and after the steps count, too, so a tenth of a call is not a
/// difference.
std::optional<Fact> countFact(const Difference &D, const SiteChange &C) {
  constexpr double MinShare = 0.1;
  const RunSummary &B = D.Base[0], &N = D.New[0];
  if (!D.PerStep || !C.Base || !C.New || B.Limited || N.Limited || B.CutOff ||
      N.CutOff)
    return std::nullopt;
  const double Base = callsPerStep(*C.Base, B), New = callsPerStep(*C.New, N);
  if (std::abs(New - Base) < MinShare)
    return std::nullopt;
  return Fact{FactKind::CallsPerStep, &C, Base, New};
}

double gpuPerStep(const TransferRow &T, const RunSummary &Run) {
  return double(T.Steps->Gpu) / double(Run.R.InSteps->Count);
}

/// What the site copies in the steps that count; null: nothing.
const TransferRow *transferOf(const RunSummary &Run, const SiteRow *Row) {
  for (const TransferRow &T : Run.R.Transfers)
    if (Row && T.Group == Row->Group && T.Steps && T.Steps->Bytes)
      return &T;
  return nullptr;
}

/// Only where the copies from pageable memory cost enough to be asked about:
/// others take too little time, as that of a printed loss.
std::optional<Fact> pinFact(const Difference &D, const SiteChange &C) {
  using autoprof::trace::MemoryKind;
  const TransferRow *Base = transferOf(D.Base[0], C.Base),
                    *New = transferOf(D.New[0], C.New);
  if (!D.PerStep || !Base || !New || Base->Dir != New->Dir)
    return std::nullopt;
  const bool IsPinned = New->Memory == MemoryKind::Pinned;
  const TransferRow &Pinned = IsPinned ? *New : *Base,
                    &Pageable = IsPinned ? *Base : *New;
  if (Pinned.Memory != MemoryKind::Pinned ||
      Pageable.Memory != MemoryKind::Pageable ||
      !isWorthAsking(Pageable, (IsPinned ? D.Base : D.New)[0].R.whole()))
    return std::nullopt;
  return Fact{IsPinned ? FactKind::Pinned : FactKind::Unpinned, &C,
              gpuPerStep(*Base, D.Base[0]), gpuPerStep(*New, D.New[0])};
}

} // namespace

std::vector<Fact> autoprof::analysis::findFacts(const Difference &D) {
  std::vector<Fact> Facts;
  addStartFacts(D, Facts);
  auto Known = [](const RunSummary &S) { return S.R.WaitsKnown; };
  const bool WaitsKnown =
      llvm::all_of(D.Base, Known) && llvm::all_of(D.New, Known);
  for (const SiteChange &C : D.Sites) {
    std::optional<Fact> F;
    if (WaitsKnown)
      F = waitFact(D, C);
    if (!F)
      F = countFact(D, C);
    if (F)
      Facts.push_back(*F);
  }
  for (const SiteChange &C : D.Sites)
    if (std::optional<Fact> F = WaitsKnown && !waits(D, &C.row())
                                    ? nearFact(D, C, Facts)
                                    : std::nullopt)
      Facts.push_back(*F);
  for (const SiteChange &C : D.Sites)
    if (std::optional<Fact> F = pinFact(D, C))
      Facts.push_back(*F);
  if (D.Step && D.Base[0].R.Steps.FromGpu &&
      !D.Step->BaseLead != !D.Step->NewLead)
    Facts.push_back(
        {D.Step->NewLead ? FactKind::LeadKept : FactKind::LeadDrained});
  return Facts;
}
