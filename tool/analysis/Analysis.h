// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a recording to the result that a report shows.
#pragma once

#include "analysis/result/Result.h"

namespace autoprof::analysis {

/// With steps that are known already. `Measured` (Result::Measured) must
/// outlive the result.
Result analyse(const trace::Timeline &T, Steps S,
               const catalogue::Semantics *Measured = nullptr);

/// `StepName`: see findSteps. Fails only when it names no range.
llvm::Expected<Result> analyse(const trace::Timeline &T,
                               llvm::StringRef StepName = "",
                               const catalogue::Semantics *Measured = nullptr);

} // namespace autoprof::analysis
