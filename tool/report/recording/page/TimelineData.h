// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data of a page's timeline. A page shows all of a small recording. Of a
// larger one it has a part, so that the page opens quickly anywhere: the step
// whose time is nearest to the median, and as many of its neighbors as fit;
// without steps, the surroundings of the most expensive wait. Everything in
// that part is exact, and the page states which part it is.
//
// The JSON is the page's own, for tool/report/html/timeline_model.js: a table
// for each kind of event, column by column, with starts as differences.
#pragma once

#include "report/recording/Report.h"

namespace autoprof::report {

/// The largest number of host slices and GPU operations: about 1.5 MB of JSON.
constexpr size_t MaxTimelineEvents = 30'000;

/// A part of the recording. Times in ns on the timeline's clock.
struct TimelinePart {
  int64_t Start = 0, End = 0;
  int64_t ViewFrom = 0, ViewTo = 0; ///< What the page shows first.
  std::string Caption;              ///< "steps 49 to 51 of 100, ..."
};

/// `MaxEvents` is exceeded only by slices that began before the part.
TimelinePart choosePart(const Input &Subject,
                        size_t MaxEvents = MaxTimelineEvents);

/// JSON that may be put between <script> tags.
std::string timelineJson(const Input &Subject, const TimelinePart &Part);

} // namespace autoprof::report
