// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What recordings measured, as the audit's formats show it. Not used without
// --prices.
#pragma once

#include "report/audit/Audit.h"

namespace autoprof::report {

/// "measured: waited 100 of 100 times, 12.4 ms; postponing it gains 14.6 to
/// 24.2 us per step (9.6 to 15.9 %)", "measured: ran 300 times, never waited",
/// "not measured: ...", or with a capital letter; "" without prices.
std::string measuredText(const Audit &A, const audit::Finding &F,
                         bool IsSentence = false);

/// "base.pftrace (100 steps: loop at train.cu:88): 3 calls with findings, 2
/// waited, 1 not reached; ...", a sentence without a full stop.
std::string pricingSummary(const Audit &A);

/// What the figures do not show, one sentence each.
std::vector<std::string> pricingCaveats(const Audit &A);

/// Recorded waits that are not findings: "loss.cu:12 cudaMemcpy", wait, gain,
/// reason.
Table unfoundTable(const Audit &A);

} // namespace autoprof::report
