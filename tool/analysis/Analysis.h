// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything a report says about one recording, as plain data.
#ifndef AUTOPROF_ANALYSIS_ANALYSIS_H
#define AUTOPROF_ANALYSIS_ANALYSIS_H

#include "analysis/Gaps.h"
#include "analysis/Steps.h"
#include "analysis/Verdict.h"
#include "analysis/WhatIf.h"

#include <optional>

namespace autoprof::analysis {

/// One row of the report: a site, or the calls of one name without a site.
/// Times in ns. What waits are needed for is unknown (nullopt) when the trace
/// has no GPU work to compare with.
struct SiteRow {
  uint32_t Site = trace::None; ///< Into Timeline::Sites.
  std::string Call;            ///< Callee, or the name of the API call.
  std::string Kind;            ///< Class of the catalogue.
  uint64_t Count = 0;          ///< Times the site ran, or calls.
  uint64_t Waits = 0;          ///< Times it waited.
  int64_t HostTime = 0;        ///< Inside the site, or the calls.
  std::optional<int64_t> Wait, WaitMedian, WaitP95; ///< Per Count.
  std::optional<int64_t> Exposed;
  std::optional<Gain> Gained;        ///< Not above Exposed.
  std::string GainNote;              ///< Why the gain is only a bound, or "".
  std::optional<double> DepthMedian; ///< When the waits began.
  std::optional<int64_t> LeadMedian; ///< When the waits began.
  Judgement Judged;
};

struct NamedTotal {
  std::string Name;
  uint64_t Count = 0;
  int64_t Total = 0; ///< ns
  int64_t Wait = 0;  ///< ns; calls only.
};

struct RangeRow {
  uint32_t Site = trace::None;
  std::string Name;
  uint64_t Count = 0;
  int64_t Total = 0, Median = 0; ///< ns
};

struct Result {
  bool WaitsKnown = false; ///< Whether GPU work was recorded.
  int64_t Wall = 0;        ///< ns, the process's lifetime while recording.
  int64_t Span = 0;        ///< ns, first to last GPU operation, all devices.
  int64_t Waited = 0;      ///< ns, sum of all waits.
  uint64_t Drains = 0;     ///< Times a device ran out of queued work.
  uint64_t WaitDrains = 0; ///< Those that are the exposed stall of a wait.
  std::vector<DeviceActivity> Devices;
  std::vector<SiteRow> Sites; ///< By exposed stall, then wait, then host time.
  std::vector<NamedTotal> Calls, Kernels; ///< By total, descending.
  std::vector<RangeRow> Ranges;           ///< By total, descending.
  std::vector<CauseTotal> Gaps;           ///< By Cause.
  analysis::Steps Steps;
};

/// `StepName`: see findSteps. Fails only when it names no range.
llvm::Expected<Result> analyse(const trace::Timeline &T,
                               llvm::StringRef StepName = "");

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_ANALYSIS_H
