// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The processes of one parallel run (torchrun, MPI, Slurm) side by side: whose
// steps are slow, and what each site costs in all of them together.
//
// Steps are compared by their number, not by the clock: ranks run on machines
// whose clocks differ. If ranks synchronize in every step (an all-reduce), step
// times agree, and the slow rank is the one for which the others wait in
// collectives; see Together.
#pragma once

#include "analysis/ranks/RankSummary.h"
#include "analysis/ranks/Together.h"

namespace autoprof::analysis {

/// A site, or the calls of one name without a line, in all ranks.
struct RankSite {
  trace::Site Place;
  std::string Call, Kind;
  size_t Ranks = 0;         ///< In so many it ran.
  size_t WorthChanging = 0; ///< In so many its verdict is a change.
  uint64_t Count = 0, Waits = 0;
  /// Sums over the ranks; nullopt where a rank in which it ran does not know.
  std::optional<int64_t> Wait, Exposed;
  /// The least and the most wait of one rank; 0 where it did not run.
  std::optional<int64_t> LeastWait, MostWait;
  size_t MostWaiting = 0; ///< The rank of MostWait (into Ranks::All).
};

/// A step in all ranks.
struct RankStep {
  size_t Number;  ///< From 1, warm-up included.
  size_t Slowest; ///< Into Ranks::All.
  int64_t Time, Median, Fastest;
};

/// What one rank differs in.
enum class Measure : uint8_t { StepTime, Wait, Exposed, Busy };

/// A rank that is far from the others, by the median and the median absolute
/// deviation, which a few outliers do not move. All per step, in ns.
struct Outlier {
  size_t Rank; ///< Into Ranks::All.
  Measure Kind;
  int64_t Value, Median;
  double Z; ///< (Value - Median) / (1.4826 MAD); with a sign.
};

struct Ranks {
  std::vector<RankSummary> All; ///< By rank, those without a number last.
  /// Those that count in every rank; empty when the ranks' steps are not the
  /// same range on the same clock.
  std::vector<RankStep> Steps;
  std::vector<size_t> SlowestIn; ///< Of Steps, for each rank.
  std::vector<RankSite> Sites;   ///< By exposed stall, then wait.
  std::vector<Outlier> Outliers; ///< By size of Z, descending.
  /// Where the ranks' traces were replayed together, or why they were not; not
  /// of summaries, and not without collectives.
  std::optional<Together> Jointly;

  /// Median of Time / Median - 1 over the steps; 0 without steps.
  double lag() const;

  /// Whether a wait is worth a change on some rank: the rule of --exit-code.
  /// nullopt: not known, because a file is cut off.
  std::optional<bool> isWorthwhile() const;
};

/// Ranks that stand out, of at least five with steps that count. A deviation is
/// taken to be at least a hundredth of the median step, so that what costs
/// nothing does not stand out.
std::vector<Outlier> findOutliers(llvm::ArrayRef<RankSummary> All);

Ranks compareRanks(std::vector<RankSummary> All);

} // namespace autoprof::analysis
