// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a report decides about a recording, as values: which change is worth
// making, what it gains, in which runs, and what remains uncertain. decisions/
// makes them; reports put them into words.
#pragma once

#include "analysis/common/Names.h"
#include "analysis/replay/ChangeSet.h"

#include <algorithm>

namespace autoprof::analysis {

enum class Verdict : uint8_t {
  None,      ///< Does not wait, or it is not known whether it does.
  Remove,    ///< The call itself is not needed for GPU work to be in order.
  Postpone,  ///< Wait where the data is first used, not where it is requested.
  MakeAsync, ///< Another form of the call does not wait.
  Keep,      ///< No cheaper form is known.
  NotWorthIt ///< Removing it would gain less than the threshold.
};

inline llvm::StringRef name(Verdict V) {
  return nth(V,
             {"", "remove", "postpone", "make_async", "keep", "not_worth_it"});
}
/// In words, for reports.
inline llvm::StringRef phrase(Verdict V) {
  return nth(V, {"", "remove", "postpone to first use", "make asynchronous",
                 "keep", "not worth it"});
}

/// Whether the verdict is a change, so that the site is a finding.
inline bool isChange(Verdict V) {
  return V == Verdict::Remove || V == Verdict::Postpone ||
         V == Verdict::MakeAsync;
}

/// The change that a verdict recommends; None: none.
inline Edit editOf(Verdict V) {
  constexpr Edit Edits[] = {Edit::None,      Edit::Remove, Edit::Postpone,
                            Edit::MakeAsync, Edit::None,   Edit::None};
  return Edits[unsigned(V)];
}

/// Why a site is judged as it is.
enum class Grounds : uint8_t {
  None,
  Replaceable,     ///< Judgement::Instead does what the call does.
  UnlessRead,      ///< The same, if the CPU does not read a result right then.
  Later,           ///< The same, for example one step later.
  NoOtherForm,     ///< No cheaper form is known.
  GpuBusy,         ///< The GPU works meanwhile.
  SmallPartOfStep, ///< The gain is below the threshold,
  SmallPartOfRun,  ///< of the step, or of the GPU's span.
  IncludedInPartner, ///< The change of Judgement::Instead includes it.
};

struct Judgement {
  Verdict Kind = Verdict::None;
  Grounds Why = Grounds::None;
  std::string Instead; ///< What to call or do instead; may be "".
};

/// Gains below this share of the time are not worth a change.
constexpr double WorthIt = 0.01;

/// A gain is a promise about the unrecorded program, so the replay's answer for
/// unrecorded runs comes first. The answer for the recorded run takes its place
/// if there is no such answer: in other profilers' traces, or for one wait of
/// many.
struct ExpectedGain {
  Estimate Saved;         ///< ns per step, where PerStep; else of the run.
  int64_t Whole = 0;      ///< ns, what it is a share of: a step, or the run.
  int64_t Resolution = 0; ///< See resolution(); 0 of the recorded run.
  bool PerStep = false;   ///< Of the mean step.
  bool Recorded = false;  ///< Of the recorded run.

  /// Whether the change is worth making; in a recorded run, whether it may be.
  bool isWorthIt() const {
    const int64_t Decisive = Recorded ? Saved.High : Saved.Middle;
    return double(Decisive) >= WorthIt * double(Whole);
  }

  /// Whether runs with and without the change can be told apart.
  bool isMeasurable() const { return Saved.Middle > Resolution; }

  ExpectedGain scaled(double Share) const {
    auto Part = [Share](int64_t Ns) { return int64_t(Share * double(Ns)); };
    ExpectedGain Result = *this;
    Result.Saved = {Part(Saved.Middle), Part(Saved.Low), Part(Saved.High)};
    return Result;
  }
};

/// What a report promises for a site, and by which change: the gain of removing
/// a call must not appear next to the advice to postpone it, which gains less.
struct Promise {
  Verdict Change = Verdict::None; ///< Remove, Postpone, MakeAsync; None: the
                                  ///< gain is not known.
  /// Unless Change is None. Of a site that is changed with others, its part of
  /// what they gain together; else what it gains alone.
  std::optional<ExpectedGain> Expected;
  /// Expected is only a bound, because it was not replayed: SiteRow::GainNote.
  bool IsBound = false;
  /// What is done about it, if it is in the change set.
  std::optional<Remedy> By;
  /// It gains next to nothing unless the others of the set are changed, too.
  bool NeedsOthers = false;
  /// The call copies to the GPU: without its wait, it is still made.
  bool KeepsCopy = false;
};

/// The answer to "what should I change?".
enum class Answer : uint8_t {
  Change,     ///< WhatIfTable::Changes, or, without a replay, Decision::Waits.
  NotWorthIt, ///< No wait is.
  NoWaits,    ///< Nothing waits for the GPU.
  Unknown     ///< See Decision::Hidden.
};

/// What the recording lacks, so that waits in it may not be seen.
enum class Hidden : uint8_t {
  Nothing,
  GpuWork, ///< All of the GPU's work.
  Waits,   ///< The calls that wait: another profiler's trace.
  Rest     ///< What came after the place where the file is cut off.
};

/// A line at which the thread that launches sleeps until another thread has
/// waited for the GPU (HostLines::Sleeping), worth a change.
struct LineChange {
  uint32_t Site;       ///< Into Timeline::Sites.
  ExpectedGain Mild;   ///< If it is not in the way: the value is read later.
  ExpectedGain Strong; ///< Without the line in each step.
};

struct Decision {
  analysis::Answer Answer = Answer::Unknown;
  analysis::Hidden Hidden = Hidden::Nothing;
  /// Into Result::Sites, in its order: those whose verdict is a change.
  std::vector<uint32_t> Waits;
  /// Of WhatIfTable::Changes, if they are worth it: the least that following
  /// the advice gains, and the most that not doing at all in each step what the
  /// calls do would gain. The first is absent if it is not worth it alone; the
  /// second, if the difference cannot be measured.
  std::optional<ExpectedGain> Mild, Strong;
  /// By Mild, the largest first. What they gain is of samples, and by itself.
  std::vector<LineChange> Lines;

  /// What the answer promises: Mild to Strong.
  std::optional<ExpectedGain> gain() const {
    if (!Mild || !Strong)
      return Mild ? Mild : Strong;
    ExpectedGain Both = *Mild;
    Both.Saved.High = std::max(Mild->Saved.High, Strong->Saved.High);
    return Both;
  }
  /// What repeats may be something else than steps: a layer's part of them, for
  /// example, of which a wait is not a part.
  bool AreStepsDoubtful = false;

  /// Whether a change is worth making: the rule of --exit-code. nullopt: the
  /// recording does not show it.
  std::optional<bool> isWorthwhile() const {
    if (Answer == analysis::Answer::Unknown)
      return std::nullopt;
    return Answer == analysis::Answer::Change;
  }
};

} // namespace autoprof::analysis
