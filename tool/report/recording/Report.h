// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every format gets, and the formats.
#ifndef AUTOPROF_REPORT_RECORDING_REPORT_H
#define AUTOPROF_REPORT_RECORDING_REPORT_H

#include "analysis/comparison/Diff.h"

#include "llvm/Support/raw_ostream.h"

namespace autoprof::report {

/// One analysed trace.
struct Input {
  std::string Path; ///< As the user gave it.
  const trace::Timeline &T;
  const analysis::Result &R;
};

struct TextStyle {
  unsigned Width = 100; ///< Columns; 80 to 120.
  bool Color = false;
  bool All = false;        ///< Also the sites that did not wait.
  bool Profile = false;    ///< Also kernels, calls, ranges, memory operations.
  size_t LongestName = 60; ///< Of a kernel in a table, bytes.
};

void writeReportTerminal(llvm::raw_ostream &Out, const Input &Subject,
                         const TextStyle &Style);
void writeReportMarkdown(llvm::raw_ostream &Out, const Input &Subject,
                         const TextStyle &Style);
/// Schema autoprof-report/1 (docs/json.md).
void writeReportJson(llvm::raw_ostream &Out, const Input &Subject);
/// A page of its own (docs/reports.md); it loads nothing.
void writeReportHtml(llvm::raw_ostream &Out, const Input &Subject);

void writeDiffTerminal(llvm::raw_ostream &Out, const analysis::Difference &D,
                       const TextStyle &Style);
void writeDiffMarkdown(llvm::raw_ostream &Out, const analysis::Difference &D,
                       const TextStyle &Style);
/// Schema autoprof-diff/1 (docs/json.md).
void writeDiffJson(llvm::raw_ostream &Out, const analysis::Difference &D);
/// Timelines are of Base and New, the first runs of the two sides.
void writeDiffHtml(llvm::raw_ostream &Out, const Input &Base, const Input &New,
                   const analysis::Difference &D);

/// Whether a site is worth a change: what --exit-code and findings[] go by.
bool isFinding(const analysis::SiteRow &Row);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_REPORT_H
