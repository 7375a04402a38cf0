// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How what may be steps is named, by reports and by users.
#ifndef AUTOPROF_ANALYSIS_STEPS_NAMING_H
#define AUTOPROF_ANALYSIS_STEPS_NAMING_H

#include "analysis/steps/StepCandidates.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace autoprof::analysis {

/// "loop at train.cu:310 in main".
std::string describe(const trace::Timeline &T, const StepCandidate &C);

/// As --step takes it: "loop:train.cu:310".
std::string nameOf(const trace::Timeline &T, const StepCandidate &C);

/// Those that the user means: by their name, or else by a part of it that no
/// others have. Ranges that could not be steps count as others only where none
/// could: a compiler's passes have the names of what they compile. NoSuchStep
/// with the nearest names.
llvm::Expected<StepCandidate> chooseNamed(const trace::Timeline &T,
                                          llvm::ArrayRef<StepCandidate> All,
                                          llvm::StringRef Name);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_STEPS_NAMING_H
