// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Pricing.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace autoprof;
using namespace autoprof::audit;
using catalogue::Waits;
using llvm::StringRef;
using prices::SitePrice;

namespace {

/// Rules for costs other than a wait of the host at the finding's site: a wrong
/// result, waits elsewhere, work that does not overlap, or a slow call.
constexpr StringRef CostOtherwise[] = {"autoprof-unsafe-early-read",
                                       "autoprof-unsafe-buffer-lifetime",
                                       "autoprof-memory-alloc-in-loop"};

/// A sort key: larger means more expensive.
auto costOf(const SitePrice &S) {
  const std::optional<prices::Promise> Gain = prices::promise(S);
  return std::tuple(Gain && Gain->InSteps && Gain->Saved.High,
                    Gain ? Gain->Saved.middle() : 0,
                    S.waitsInSteps() ? S.Steps->Wait : 0, S.Wait.value_or(0),
                    S.HostTime);
}

/// The order of findings: measured gains, not measured, waits without a gain,
/// no waits.
unsigned groupOf(const std::optional<FindingPrice> &Price) {
  if (!Price)
    return 1;
  switch (Price->State) {
  case Measured::Waited: {
    const std::optional<prices::Promise> Gain = prices::promise(*Price->Site);
    return !Gain ? 1 : Gain->Saved.High ? 0 : 2;
  }
  case Measured::NeverWaited:
    return 3;
  case Measured::NotAWait:
  case Measured::NotReached:
  case Measured::NoProbe:
  case Measured::Unknown:
    break;
  }
  return 1;
}

} // namespace

StringRef audit::name(Measured M) {
  constexpr StringRef Names[] = {"waited",      "never_waited", "not_a_wait",
                                 "not_reached", "no_probe",     "unknown"};
  return Names[unsigned(M)];
}

std::vector<prices::Place> audit::placesOf(const Project &P) {
  std::vector<prices::Place> Result;
  for (const LinkedSite &S : P.sites()) {
    StringRef File = S.Model->Location.File;
    File.consume_front(P.units()[P.functions()[S.Function].Unit].Root);
    Result.push_back({S.Model->Id, File.str(), S.Model->Location.Line,
                      S.Model->Location.Column, P.functionOf(S).Name,
                      S.Model->Row.empty() ? S.Model->Callee : S.Model->Row});
  }
  return Result;
}

Pricing::Pricing(const Project &P, std::vector<prices::Prices> Recordings)
    : P(P), Places(placesOf(P)), Index(Places) {
  for (prices::Prices &R : Recordings)
    matchByPlace(R);
  Recorded = prices::sum(std::move(Recordings));
  for (const SitePrice &S : Recorded.Sites)
    if (S.Position.Id)
      ById.try_emplace(S.Position.Id, &S);
}

/// Gives rows with an unknown id the id of the call at their location.
void Pricing::matchByPlace(prices::Prices &Recording) {
  std::set<uint64_t> Taken;
  std::map<uint64_t, std::vector<SitePrice *>> Matched;
  for (SitePrice &S : Recording.Sites) {
    HasProbes |= S.Position.Id != 0;
    const std::optional<prices::Match> Found = Index.find(S.Position);
    if (!Found)
      continue;
    const uint64_t Id = Places[Found->Index].Id;
    if (Found->ByPlace)
      Matched[Id].push_back(&S);
    else
      Taken.insert(Id);
  }
  HasProbes |= Recording.Unreached && !Recording.Unreached->empty();
  for (auto &[Id, Rows] : Matched) {
    // Rows without an id are one call with different stacks; rows with an id
    // are separate calls.
    const size_t Calls = llvm::count_if(
        Rows, [](const SitePrice *S) { return S->Position.Id != 0; });
    if (Calls && (Rows.size() > 1 || Taken.count(Id)))
      continue;
    ByPlace.insert(Id);
    for (SitePrice *S : Rows)
      S->Position.Id = Id;
  }
}

const SitePrice *Pricing::at(const LinkedSite &S) const {
  auto It = ById.find(S.Model->Id);
  return It == ById.end() ? nullptr : It->second;
}

std::optional<FindingPrice> Pricing::of(const Finding &F) const {
  if (!F.Site)
    return std::nullopt;
  FindingPrice Result;
  Result.Site = at(*F.Site);
  const uint64_t Id = F.Site->Model->Id;
  if (!Result.Site) {
    if (HasProbes && Recorded.Unreached)
      Result.State = Recorded.Unreached->count(Id) ? Measured::NotReached
                                                   : Measured::NoProbe;
    return Result;
  }
  Result.ByPlace = ByPlace.count(Id) != 0;
  if (Result.Site->Waits)
    Result.State = Measured::Waited;
  else if (Result.Site->Wait)
    Result.State = llvm::is_contained(CostOtherwise, F.Rule)
                       ? Measured::NotAWait
                       : Measured::NeverWaited;
  return Result;
}

void Pricing::sort(std::vector<Finding> &Findings) const {
  using Cost = decltype(costOf(std::declval<const SitePrice &>()));
  struct Entry {
    unsigned Group;
    Cost Costs;
    Finding *Item;
  };
  std::vector<Entry> Entries;
  for (Finding &F : Findings) {
    const std::optional<FindingPrice> Price = of(F);
    const unsigned Group = groupOf(Price);
    Entries.push_back(
        {Group,
         Price && Price->Site && Group != 1 ? costOf(*Price->Site) : Cost(),
         &F});
  }
  llvm::stable_sort(Entries, [](const Entry &A, const Entry &B) {
    return std::tuple(A.Group, B.Costs, B.Item->Level) <
           std::tuple(B.Group, A.Costs, A.Item->Level);
  });
  std::vector<Finding> Sorted;
  for (const Entry &E : Entries)
    Sorted.push_back(std::move(*E.Item));
  Findings = std::move(Sorted);
}

std::vector<UnfoundWait>
Pricing::unfound(llvm::ArrayRef<Finding> Findings, const SilentSites &Silent,
                 llvm::ArrayRef<UnreadSource> Unread) const {
  std::set<uint64_t> Found;
  for (const Finding &F : Findings)
    if (F.Site)
      Found.insert(F.Site->Model->Id);
  std::vector<UnfoundWait> Result;
  for (const SitePrice &S : Recorded.Sites)
    if (S.Waits && !(S.Position.Id && Found.count(S.Position.Id)))
      Result.push_back(explain(S, Silent, Unread));
  llvm::stable_sort(Result, [&](const UnfoundWait &A, const UnfoundWait &B) {
    return costOf(*A.Site) > costOf(*B.Site);
  });
  return Result;
}

bool Pricing::holdsFile(StringRef File) const {
  return llvm::any_of(P.functions(), [&](const LinkedFunction &F) {
    StringRef Path = F.Model->Location.File;
    Path.consume_front(P.units()[F.Unit].Root);
    return prices::mayBeSameFile(Path, File);
  });
}

UnfoundWait Pricing::explain(const SitePrice &Price, const SilentSites &Silent,
                             llvm::ArrayRef<UnreadSource> Unread) const {
  auto Because = [&](Silence Cause, std::string Text,
                     const LinkedSite *Known = nullptr) {
    return UnfoundWait{&Price, Known, Cause, std::move(Text)};
  };
  const prices::Place &Position = Price.Position;
  unsigned Fitting = 0;
  if (const auto Found = Index.find(Position, &Fitting);
      Found && !Found->ByPlace) {
    const LinkedSite &S = P.sites()[Found->Index];
    if (!catalogue::mayWait(S.Effects.Wait))
      return Because(
          Silence::NotExpected,
          "the audit assumes that it does not wait" +
              (S.Effects.Reason.empty() ? "" : ": " + S.Effects.Reason),
          &S);
    Silence Why = Silence::NotChosen;
    for (const auto &[Site, Known] : Silent)
      if (Site->Model->Id == Position.Id)
        Why = Known;
    if (Why == Silence::NoRule && S.Effects.Wait == Waits::Maybe)
      return Because(Silence::MayWait,
                     "the audit cannot tell that it waits: " + S.Effects.Reason,
                     &S);
    return Because(Why, describe(Why).str(), &S);
  }
  if (Position.File.empty())
    return Because(Silence::NoPlace,
                   "the recording has no source location for it");
  for (const UnreadSource &U : Unread)
    if (prices::mayBeSameFile(U.File, Position.File) &&
        (U.Function.empty() || U.Function == Position.Function))
      return Because(Silence::NotRead,
                     (U.Function.empty() ? "its source was not read: "
                                         : "its function was skipped: ") +
                         U.Reason);
  if (Fitting)
    return Because(
        Silence::Ambiguous,
        "its site id is unknown to the audit, and several calls match "
        "its line");
  if (holdsFile(Position.File))
    return Because(Silence::Changed,
                   "the audited file has no such call there: it differs "
                   "from the recorded one, or is parsed differently");
  return Because(Silence::NotInSources,
                 "its file is not among the audited sources");
}
