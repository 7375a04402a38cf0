// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shortens a report in Markdown, whatever it reports, to a number of bytes: for
// comments that have a limit, and for language models.
//
// Reports put first what matters most: their sections, and the rows of each
// table. The first section gets most of the room, then the last one, which has
// the caveats. Every other section keeps its beginning: in rounds, each gets
// one more row as long as it fits. Notes on how to read a table are left out
// first. Omitted rows are counted below their table, and sections that did not
// fit at all are named at the end. The same text gives the same result.
#ifndef AUTOPROF_REPORT_MARKDOWNFIT_H
#define AUTOPROF_REPORT_MARKDOWNFIT_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace autoprof::report {

constexpr size_t LeastFittingBytes = 1000;

/// `Text`, or less of it: at most `MaxBytes`, which is LeastFittingBytes or
/// more. The first section (up to the first "## ") stays as it is, up to half
/// of the limit.
std::string fitMarkdown(llvm::StringRef Text, size_t MaxBytes);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_MARKDOWNFIT_H
