// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What reports say in words, the same in every format.
#ifndef AUTOPROF_REPORT_SENTENCES_H
#define AUTOPROF_REPORT_SENTENCES_H

#include "report/Report.h"

namespace autoprof::report {

/// Name and value of each line of the summary: wall time, GPUs, waits, steps.
std::vector<std::pair<std::string, std::string>> summaryLines(const Input &In);

/// What the trace lacks and what was lost, one sentence each; empty when the
/// recording is whole.
std::vector<std::string> caveats(const Input &In);

/// "gain 0.9 to 1.2 ms (4.4 to 5.5 %): postpone to first use: cudaMemcpyAsync
/// ..."; "" for a site that did not wait.
std::string verdictLine(const Input &In, const analysis::SiteRow &Row);

/// "0.9 to 1.2 ms", "at most 1.2 ms", "-".
std::string gainText(const analysis::SiteRow &Row);

/// What the cause of a GPU gap means, in words.
llvm::StringRef phrase(analysis::Cause C);

/// What happened between two recordings, in two sentences.
std::string diffSummary(const Input &Base, const Input &New,
                        const analysis::Difference &D);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_SENTENCES_H
