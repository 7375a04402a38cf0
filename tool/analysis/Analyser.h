// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How analyse() works: what is found in a timeline without a replay
// (Analysis.cpp), and what is replayed (Replays.cpp).
#ifndef AUTOPROF_ANALYSIS_ANALYSER_H
#define AUTOPROF_ANALYSIS_ANALYSER_H

#include "analysis/result/Result.h"
#include "analysis/waits/RunAhead.h"

namespace autoprof::analysis {

/// What is collected for one group of calls (see groupOf).
struct CallGroup {
  uint64_t Count = 0;
  int64_t HostTime = 0;
  std::vector<uint32_t> Waits;
};

/// Of one timeline, once.
class Analyser {
  const trace::Timeline &T;
  const trace::HostEvents &H;
  const WorkOwners Owners;
  Attribution A;
  WaitList List;
  std::vector<Wait> &Waits = List.Waits;
  Exposure Exposed;
  std::vector<RunAhead> Ahead;
  std::vector<CallGroup> Groups;
  std::optional<Replay> Player;
  Result R;

  void countGroups();
  bool isListed(uint32_t G) const;
  SiteRow makeRow(uint32_t G) const;
  void fillWaits(SiteRow &Row, const CallGroup &G) const;
  void addRows();
  void boundGain(SiteRow &Row) const;
  Replay &replay();
  void addGains(const std::vector<uint32_t> &GroupOfRow);
  bool launchesNodes() const;
  bool knowsCost() const;
  int64_t stallOf(uint32_t Group, const std::vector<uint32_t> &GroupOfRow,
                  bool OfSteps) const;
  void addWhatIfs(const std::vector<uint32_t> &GroupOfRow);
  void addTransfers();
  void addConstants();
  void addLimits();
  void estimateRecorder();
  void judgeRows(const std::vector<uint32_t> &GroupOfRow);
  std::optional<Gain> advisedGain(uint32_t I) const;
  void judgePairs();
  void addReasons(const GapCauses &Causes, const std::vector<CauseTotal> &Run);
  void addProfile();

public:
  Analyser(const trace::Timeline &T, const catalogue::Semantics *Measured)
      : T(T), H(T.Host), Owners(T) {
    R.Measured = Measured;
  }
  Result run(Steps S);
};

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_ANALYSER_H
