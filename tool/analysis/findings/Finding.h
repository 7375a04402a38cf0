// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an expert would point out in a recording, besides its waits: one file a
// rule, and Findings.def names them all.
//
// A rule stays silent unless its figures are clear: each finding would cost the
// reader time, and a false one his trust. What a trace cannot tell is stated
// with the finding, as its doubt.
#ifndef AUTOPROF_ANALYSIS_FINDINGS_FINDING_H
#define AUTOPROF_ANALYSIS_FINDINGS_FINDING_H

#include "trace/Timeline.h"

#include "llvm/Support/JSON.h"

namespace autoprof::analysis {

struct Result;

enum class Severity : uint8_t {
  Note,   ///< Good to know; changing it gains little, or nobody knows how much.
  Warning ///< Costs the steps time that can be had back.
};

/// "note", "warning".
llvm::StringRef name(Severity S);

struct Finding {
  llvm::StringRef Rule; ///< "cold-first-step"; set by findFindings.
  analysis::Severity Severity = analysis::Severity::Note;
  std::string Message;         ///< One sentence, with the figures.
  std::string Advice;          ///< What to do.
  std::string Doubt;           ///< What the trace cannot tell; may be "".
  llvm::json::Object Evidence; ///< The figures: ..._ns, ..._bytes, counts;
                               ///< ..._share from 0 to 1; names.
  int64_t Cost = 0;            ///< ns that it is about; orders findings.
  uint32_t Site = trace::None; ///< Into Timeline::Sites.
};

struct Rule {
  llvm::StringRef Name;
  llvm::StringRef Purpose; ///< What it finds, in one sentence.
};

/// All rules, in the order of Findings.def.
llvm::ArrayRef<Rule> findingRules();

/// Warnings first, then by cost, descending.
std::vector<Finding> findFindings(const trace::Timeline &T, const Result &R);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_FINDINGS_FINDING_H
