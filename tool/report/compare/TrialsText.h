// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts about compared runs that all text formats share.
#pragma once

#include "analysis/comparison/Trials.h"

namespace autoprof::report {

/// The answer, one sentence: "Step time 318 -> 452 us (+42.0 %, 95 % interval
/// +38.1 % to +45.0 %; 12 and 12 runs)."
std::string trialsSentence(const analysis::Trials &T,
                           const analysis::TrialsJudged &J);

/// Further information: how runs vary, clocks, outputs. One sentence
/// each.
std::vector<std::string> trialsNotes(const analysis::Trials &T,
                                     const analysis::TrialsJudged &J);

/// For a self-test: how much runs differ, and how many runs find which change.
std::vector<std::string> selfTestLines(const analysis::Trials &T);

/// Clocks that differ so much between the sides that they may be the reason.
/// Clauses.
std::vector<std::string> confounders(const analysis::Trials &T);

} // namespace autoprof::report
