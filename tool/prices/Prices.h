// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What recordings measured at each call in the source, as plain data: waits,
// stalls and gains. Read from reports in JSON (schema autoprof-report/1), by
// which bin/autoprof, which reads traces, passes them to bin/autoprof-source,
// which reads sources. Times are integer nanoseconds.
#pragma once

#include "prices/Places.h"

#include "llvm/Support/Error.h"

#include <set>

namespace autoprof::prices {

/// What a change would save: an interval.
struct Gain {
  int64_t Low = 0, High = 0;
  int64_t middle() const { return Low + (High - Low) / 2; }
};

/// What reports print of a site (expected_gain): sums over the steps that
/// count, where it is of them, else over the runs.
struct Expected {
  std::string Change; ///< As Promise::Change.
  bool PerStep = false;
  bool IsRecorded = false; ///< Of the recorded runs; else of unrecorded ones.
  int64_t Low = 0, Middle = 0, High = 0;
  int64_t Whole = 0;      ///< The same runs' steps, or the GPU's span.
  int64_t Resolution = 0; ///< Less than this cannot be told from nothing.
};

/// Sums over the steps that count.
struct StepSums {
  uint64_t Waits = 0;
  int64_t Wait = 0, Exposed = 0;
  Gain Removed;
};

struct StepTotals {
  std::string Source; ///< "loop at train.cu:310 (main)".
  uint64_t Count = 0; ///< Steps that count.
  int64_t Span = 0;   ///< GPU time of these, summed over devices.
  /// In one of the recordings: gains may be more than the replay can know.
  bool IsLaunchBound = false;
};

/// One call in the source. Sums over the recordings in which it ran; what is
/// unknown in one of them is nullopt.
struct SitePrice {
  Place Position;
  unsigned Recordings = 1; ///< In how many it ran.
  uint64_t Calls = 0;      ///< Times it ran.
  uint64_t Waits = 0;      ///< Times it waited.
  int64_t HostTime = 0;    ///< Inside of it.
  std::optional<int64_t> Wait, Exposed;
  /// By removing it alone; nullopt: unknown, or it waits in the steps.
  std::optional<Gain> Removed;
  /// nullopt: not known, or recordings disagree.
  std::optional<prices::Expected> Expected;
  std::string GainNote; ///< Why Removed is only a bound, or "".
  std::string Verdict;  ///< As reports name it; "": none, or several.
  /// Both or none; with several recordings when these have the same step.
  std::optional<StepSums> Steps;
  std::optional<StepTotals> Totals;
  std::optional<int64_t> Span; ///< First to last GPU operation of the runs.

  bool waitsInSteps() const { return Steps && Steps->Waits; }
};

struct Recording {
  std::string Path, Command;
  bool WaitsKnown = false;
  std::string NoGpuWork; ///< Why they are not known: a sentence, or "".
  bool IsPart = false;   ///< Of the run, or of what was recorded.
};

struct Prices {
  std::vector<Recording> Recordings;
  std::vector<SitePrice> Sites;
  /// Probes that never ran; nullopt: unknown in one of the recordings.
  std::optional<std::set<uint64_t>> Unreached;
  std::optional<StepTotals> Steps; ///< When all recordings have the same step.
  int64_t StepSpan = 0;            ///< GPU time of the steps of all of them.
  std::optional<int64_t> Span;     ///< First to last GPU operation.
  std::optional<int64_t> Waited;   ///< Sum of all waits.
};

/// A report in JSON. An error is one sentence without the file's name.
llvm::Expected<Prices> readReport(llvm::StringRef Json);

/// Whether a file with this beginning is a report of one recording in JSON.
bool isReport(llvm::StringRef Start);

/// The sum of several recordings; also joins what one recording has of a place
/// in several rows.
Prices sum(std::vector<Prices> All);

/// What reports promise for a place: following the verdict if that is known to
/// be worth a change, else removing the call.
struct Promise {
  std::string Change; ///< "remove", "postpone", "make_async".
  Gain Saved;         ///< Sums over Count.
  bool InSteps = false;
  int64_t Count = 1; ///< Steps, or 1: the recordings as a whole.
  int64_t Whole = 0; ///< The time that it is a part of, in the same runs.
  /// The best estimate, where there is one: Saved is its interval then.
  std::optional<int64_t> Middle;
  int64_t Resolution = 0;     ///< As Expected::Resolution.
  bool IsRecorded = true;     ///< As Expected::IsRecorded.
  bool IsBound = false;       ///< Saved.High is all that is known.
  bool IsLaunchBound = false; ///< As StepTotals::IsLaunchBound.
};
/// nullopt: not known.
std::optional<Promise> promise(const SitePrice &S);

} // namespace autoprof::prices
