// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What recordings measured where the audit looked: a price for each finding,
// and the waits that it did not find, with the reason.
#ifndef AUTOPROF_AUDIT_PRICING_H
#define AUTOPROF_AUDIT_PRICING_H

#include "audit/Finding.h"
#include "audit/SilentWaits.h"
#include "prices/Prices.h"

#include "llvm/ADT/DenseMap.h"

namespace autoprof::audit {

enum class Measured : uint8_t {
  Waited,
  NeverWaited,
  NotAWait,   ///< It never waited, and what its rule finds costs otherwise.
  NotReached, ///< It has a probe, which never ran.
  NoProbe,    ///< The recorded program has no probe there.
  Unknown     ///< The recordings do not tell.
};
/// "waited", "never_waited", "not_a_wait", "not_reached", "no_probe",
/// "unknown".
llvm::StringRef name(Measured M);

struct FindingPrice {
  Measured State = Measured::Unknown;
  const prices::SitePrice *Site = nullptr; ///< Null where it did not run.
  bool ByPlace = false; ///< Matched by file, line and call, not by id.
};

/// Why a recorded wait is not among the findings.
enum class Reason : uint8_t {
  Accepted, ///< As Silence, in the same order, up to NoRule.
  Silenced,
  NotChosen,
  OutsideLoops,
  ErrorPath,
  RunsOnce,
  LeavesLoop,
  NoLaunches,
  NoRule,
  NotExpected,  ///< The audit takes the call not to wait.
  MayWait,      ///< It may wait, and no rule is sure enough.
  NotRead,      ///< Its source, or its function, could not be read.
  Ambiguous,    ///< Several calls on its line fit.
  Changed,      ///< Its file was read, and has no such call.
  NotInSources, ///< Its file is not among the audited ones.
  NoPlace       ///< The recording names no place.
};
/// "accepted", "silenced", ...
llvm::StringRef name(Reason R);

struct UnfoundWait {
  const prices::SitePrice *Site = nullptr;
  const LinkedSite *Known = nullptr; ///< The audit's site, or null.
  Reason Cause = Reason::NoPlace;
  std::string Text; ///< A clause.
};

/// Why sites that wait, or may wait, have no finding.
using SilentSites = llvm::DenseMap<const LinkedSite *, Silence>;

/// What could not be read of the sources; Function "": the whole file.
struct UnreadSource {
  std::string File, Function, Reason;
};

class Pricing {
public:
  /// `P` must outlive it. Recordings of several runs are summed.
  Pricing(const Project &P, std::vector<prices::Prices> Recordings);
  Pricing(const Pricing &) = delete;

  const prices::Prices &recorded() const { return Recorded; }
  /// nullopt: the finding is about no single call.
  std::optional<FindingPrice> of(const Finding &F) const;
  /// What was recorded at a site, or null.
  const prices::SitePrice *at(const LinkedSite &S) const;

  /// The most expensive first. Those without a price come by severity, before
  /// those that measured nothing.
  void sort(std::vector<Finding> &Findings) const;

  /// Waits that are none of the findings, the most expensive first.
  std::vector<UnfoundWait> unfound(llvm::ArrayRef<Finding> Findings,
                                   const SilentSites &Silent,
                                   llvm::ArrayRef<UnreadSource> Unread) const;

private:
  void matchByPlace(prices::Prices &Recording);
  UnfoundWait explain(const prices::SitePrice &Price, const SilentSites &Silent,
                      llvm::ArrayRef<UnreadSource> Unread) const;
  bool holdsFile(llvm::StringRef File) const;

  const Project &P;
  std::vector<prices::Place> Places; ///< Of P.sites(), in their order.
  prices::PlaceIndex Index;          ///< Of Places.
  bool HasProbes = false;     ///< Whether the recordings have ids of sites.
  std::set<uint64_t> ByPlace; ///< Ids of sites that were matched by place.
  prices::Prices Recorded;
  std::unordered_map<uint64_t, const prices::SitePrice *> ById;
};

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_PRICING_H
