// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `autoprof try` found.
#pragma once

#include "analysis/comparison/Experiments.h"
#include "fields/Fields.h"
#include "report/document/Renderings.h"

namespace autoprof::report {

inline constexpr llvm::StringLiteral ExperimentsSchema = "autoprof-try/1";

/// "left out".
const char *switchedWords(analysis::Switched How);
/// Of what a change saves, ns: "-1.20 us to 12.5 us".
std::string savedRange(const analysis::Interval &Saved);

struct ExperimentsInput {
  const analysis::ExperimentSeries &S;
  const trace::Timeline &T; ///< Of the recording.
  const analysis::Result &R;
};

Document experimentsDocument(const ExperimentsInput &I, const TextStyle &Style);
void writeExperiments(llvm::raw_ostream &Out, const ExperimentsInput &I,
                      const TextStyle &Style);
void experimentsFields(fields::Fields &F, const ExperimentsInput &I);

inline constexpr auto ExperimentsFormats = formatsOf<experimentsDocument>(
    Format<ExperimentsInput>{"json", writeExperiments});

} // namespace autoprof::report
