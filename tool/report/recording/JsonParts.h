// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of the JSON about recordings.
#pragma once

#include "analysis/ranks/RankSummary.h"
#include "fields/Fields.h"
#include "report/recording/Formats.h"

namespace autoprof::report {

// The formats.
void reportFields(fields::Fields &F, const Input &Subject);
void diffFields(fields::Fields &F, const DiffInput &About);
void ranksFields(fields::Fields &F, const RanksInput &About);

/// apis[], kernels[], memory_operations[], ranges[], operators[],
/// utilization{}, device_memory[].
void profileFields(fields::Fields &F, const Input &Subject);

/// phases[], and waits_elsewhere.
void phaseFields(fields::Fields &F, const Input &Subject);
/// Of steps: inner.
void innerFields(fields::Fields &F, const Input &Subject);
/// Of steps: kinds[].
void kindFields(fields::Fields &F, const Input &Subject);

/// gaps[] and cpu_busy[], of the steps that count or of the run; empty if
/// `Known` is false.
void idleFields(fields::Fields &F, const Input &Subject, bool OfSteps,
                bool Known);

/// A line on a stack (trace::FrameKind).
void stackLineFields(fields::Fields &F, const trace::Site &S);
/// cpu_lines; null: the CPU was not sampled.
void hostLineFields(fields::Fields &F, const Input &Subject);

/// findings[].
void findingFields(fields::Fields &F, const Input &Subject);

/// what_if[], and what belongs to it.
void whatIfFields(fields::Fields &F, const Input &Subject);
/// transfers[], replay_constants{}.
void transferFields(fields::Fields &F, const Input &Subject);
/// expected_gain of a site.
void expectedGainFields(fields::Fields &F, const Input &Subject,
                        const analysis::SiteRow &Row);

} // namespace autoprof::report
