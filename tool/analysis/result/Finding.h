// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_ANALYSIS_RESULT_FINDING_H
#define AUTOPROF_ANALYSIS_RESULT_FINDING_H

#include "trace/timeline/Timeline.h"

#include "llvm/Support/JSON.h"

namespace autoprof::analysis {

enum class Severity : uint8_t {
  Note,   ///< Good to know; changing it gains little, or an unknown amount.
  Warning ///< Costs the steps time that can be recovered.
};

/// "note", "warning".
llvm::StringRef name(Severity S);

/// What stands out in a recording, besides its waits; see findings/Rules.h.
struct Finding {
  llvm::StringRef Rule; ///< "cold-first-step"; set by findFindings.
  analysis::Severity Severity = analysis::Severity::Note;
  std::string Message; ///< One sentence, with the figures.
  std::string Advice;  ///< What to do.
  std::string Doubt;   ///< The caveat: what the trace does not show; may be "".
  llvm::json::Object Evidence; ///< The figures: ..._ns, ..._bytes, counts;
                               ///< ..._share from 0 to 1; names.
  int64_t Cost = 0;            ///< ns at stake; findings are sorted by it.
  uint32_t Site = trace::None; ///< Into Timeline::Sites.
};

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_RESULT_FINDING_H
