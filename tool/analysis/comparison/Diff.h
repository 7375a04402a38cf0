// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recordings of one program before and after a change: one run per side, or
// several.
//
// Runs of the same program differ far more than their steps suggest
// (knownVariation). So one run on a side never shows that a time has changed,
// only what the program does (comparison/Facts.h). With several runs per side
// each is one number (the median of its steps), and a change must exceed the
// variation of these numbers. Runs of `autoprof compare` are better evidence:
// they alternate, and are not recorded.
#pragma once

#include "analysis/common/Names.h"
#include "analysis/comparison/Run.h"
#include "analysis/comparison/Trials.h"

namespace autoprof::analysis {

enum class Presence : uint8_t {
  Ran,
  NotRun,
  NotReached ///< The recording ends too early, or begins too late, to have it.
};

/// A site, or calls of one name without a source line, on both sides.
struct SiteChange {
  /// Of the first run in which it ran; null: in none.
  const SiteRow *Base = nullptr, *New = nullptr;
  const trace::Site *BasePlace = nullptr, *NewPlace = nullptr;
  Presence InBase = Presence::NotRun, InNew = Presence::NotRun;
  /// Why the two are matched, if not by id; see Match.
  std::string Guess;
  /// ns of wait and exposed stall on either side per step, without what lies
  /// outside the steps; or over the whole run when a side has no steps. Of
  /// several runs the median. nullopt: unknown, or not reached.
  std::optional<int64_t> BaseWait, NewWait, BaseExposed, NewExposed;

  const SiteRow &row() const { return Base ? *Base : *New; }
  const trace::Site &place() const { return Base ? *BasePlace : *NewPlace; }
};

/// The basis of a verdict about the step time.
enum class StepBasis : uint8_t {
  OneRun,    ///< On a side: the variation between runs is unknown.
  Recorded,  ///< Several recorded runs on both sides.
  Unrecorded ///< The runs of `autoprof compare`.
};
inline llvm::StringRef name(StepBasis B) {
  return nth(B, {"one_run", "recorded_runs", "unrecorded_runs"});
}

struct StepChange {
  StepBasis Basis = StepBasis::OneRun;
  size_t BaseRuns = 1, NewRuns = 1;
  size_t BaseCount = 0, NewCount = 0;    ///< Steps compared, without warm-up.
  int64_t BaseMedian = 0, NewMedian = 0; ///< ns
  int64_t BaseLead = 0, NewLead = 0;     ///< ns queued at the end of a step.
  double Change = 0;                     ///< NewMedian / BaseMedian - 1.
  Interval Range{0, 0};                  ///< 95 % interval of Change.
  double P = 1;                          ///< Of runs; 1 for OneRun.
  double Visible = 0;  ///< A smaller change would not have been significant.
  bool Enough = false; ///< Whether there are enough steps for a verdict.
  /// P below 0.01 and 0 outside the interval; never with OneRun.
  bool Significant = false;
  /// OneRun: how far runs of one program are known to be apart, as a share.
  std::optional<double> RunsVary;
  /// Whether RunsVary was measured with this program (--noise).
  bool OwnVariation = false;

  bool ofRuns() const { return BaseRuns > 1 || NewRuns > 1; }
};

/// A kernel's GPU time, or a range's time on the host.
struct PartChange {
  bool IsKernel = false;
  std::string Name;
  const trace::Site *Place = nullptr; ///< Ranges.
  double BaseCount = 0, NewCount = 0; ///< A step.
  double BaseTime = 0, NewTime = 0;   ///< ns a step.
  double OfStep = 0; ///< Change of the time as a share of the base's step.
};

/// Why the step times of two recordings are not compared.
struct StepMismatch {
  enum Reason : uint8_t {
    NoSteps, ///< A recording has none.
    Clock,   ///< One has GPU times, one the host's.
    Place    ///< They are different steps.
  } Why;
  bool IsNew = true; ///< Which recording differs from the base's first.
  size_t Run = 0;
};

struct Difference {
  /// What is compared; the pointers in the changes point into them.
  std::vector<RunSummary> Base, New;
  /// nullopt: a side has no steps, or the sides' steps are not the same range
  /// on the same clock.
  std::optional<StepChange> Step;
  std::optional<StepMismatch> Mismatch; ///< Of the recordings.
  std::vector<SiteChange> Sites;        ///< By change of wait, largest first.
  bool PerStep = false;          ///< Whether waits and stalls are per step.
  std::vector<PartChange> Parts; ///< By change of time, largest first.
  /// Of `autoprof compare`, with what its runs say.
  std::optional<Trials> Compared;
  std::optional<TrialsJudged> Judged;

  /// Whether the new program's step is longer: the rule of --exit-code.
  bool isSlower() const;

  Difference() = default;
  Difference(Difference &&) = default;
  Difference &operator=(Difference &&) = default;
};

/// Makes the steps the runs of the range with this id, if there are any; 0:
/// leaves them.
void alignSteps(uint64_t Site, const trace::Timeline &T, Result &R);

/// Neither may be empty. `AreSame`: the steps of both sides are the same,
/// wherever they are, because the user says so.
Difference compare(std::vector<RunSummary> Base, std::vector<RunSummary> New,
                   bool AreSame = false);

/// Takes the step time, and the verdict about it, from unrecorded runs.
void useTrials(Difference &D, Trials Runs);

/// How far the median steps of two runs of one program are known to be apart,
/// as a share, where this limits the steps (KnownVariation.def).
double knownVariation(Regime R);

/// With fewer steps than this on a side, there is no verdict.
constexpr size_t MinSteps = 8;

} // namespace autoprof::analysis
