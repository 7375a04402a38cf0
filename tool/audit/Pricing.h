// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measurements of recordings at the places that the audit reported: a price for
// each finding, and the waits that it did not find, with the reason.
#pragma once

#include "audit/Finding.h"
#include "prices/Prices.h"

#include "llvm/ADT/DenseMap.h"

namespace autoprof::audit {

enum class Measured : uint8_t {
  Waited,
  NeverWaited,
  NotAWait,   ///< It never waited, and its rule finds another kind of cost.
  NotReached, ///< It has a probe, which never ran.
  NoProbe,    ///< The recorded program has no probe there.
  Unknown     ///< The recordings do not show it.
};
/// "waited", "never_waited", "not_a_wait", "not_reached", "no_probe",
/// "unknown".
llvm::StringRef name(Measured M);

struct FindingPrice {
  Measured State = Measured::Unknown;
  const prices::SitePrice *Site = nullptr; ///< Null if the site did not run.
  bool ByPlace = false; ///< Matched by file, line and call, not by id.
};

struct UnfoundWait {
  const prices::SitePrice *Site = nullptr;
  const LinkedSite *Known = nullptr; ///< The audit's site, or null.
  Silence Cause = Silence::NoPlace;
  std::string Text; ///< A clause.
};

/// Why sites that wait, or may wait, have no finding.
using SilentSites = llvm::DenseMap<const LinkedSite *, Silence>;

/// A source that could not be read; Function "": the whole file.
struct UnreadSource {
  std::string File, Function, Reason;
};

/// Of P.sites(). Paths are below the root of their unit, as the plugin records
/// them.
std::vector<prices::Place> placesOf(const Project &P);

class Pricing {
public:
  /// `P` must outlive this object. Recordings of several runs are summed.
  Pricing(const Project &P, std::vector<prices::Prices> Recordings);
  Pricing(const Pricing &) = delete;

  const prices::Prices &recorded() const { return Recorded; }
  /// Returns nullopt if the finding is not about a single call.
  std::optional<FindingPrice> of(const Finding &F) const;
  /// The recorded measurements of a site, or null.
  const prices::SitePrice *at(const LinkedSite &S) const;

  /// Sorts the most expensive findings first. Findings without a price are
  /// sorted by severity, before those for which nothing was measured.
  void sort(std::vector<Finding> &Findings) const;

  /// Waits that do not belong to a finding, the most expensive first.
  std::vector<UnfoundWait> unfound(llvm::ArrayRef<Finding> Findings,
                                   const SilentSites &Silent,
                                   llvm::ArrayRef<UnreadSource> Unread) const;

private:
  void matchByPlace(prices::Prices &Recording);
  UnfoundWait explain(const prices::SitePrice &Price, const SilentSites &Silent,
                      llvm::ArrayRef<UnreadSource> Unread) const;
  bool holdsFile(llvm::StringRef File) const;

  const Project &P;
  /// Places of P.sites(), in the same order.
  std::vector<prices::Place> Places;
  prices::PlaceIndex Index;   ///< Index of Places.
  bool HasProbes = false;     ///< Whether the recordings have ids of sites.
  std::set<uint64_t> ByPlace; ///< Ids of sites that were matched by place.
  prices::Prices Recorded;
  std::unordered_map<uint64_t, const prices::SitePrice *> ById;
};

} // namespace autoprof::audit
