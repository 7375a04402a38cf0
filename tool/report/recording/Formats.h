// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formats of reports about recordings.
#ifndef AUTOPROF_REPORT_RECORDING_FORMATS_H
#define AUTOPROF_REPORT_RECORDING_FORMATS_H

#include "report/recording/Ranks.h"

namespace autoprof::report {

void writeReportTerminal(llvm::raw_ostream &Out, const Input &Subject,
                         const TextStyle &Style);
void writeReportMarkdown(llvm::raw_ostream &Out, const Input &Subject,
                         const TextStyle &Style);
/// Schema autoprof-report/1 (docs/json.md).
void writeReportJson(llvm::raw_ostream &Out, const Input &Subject,
                     const TextStyle &Style);
/// A self-contained page (docs/reports.md); it loads nothing.
void writeReportHtml(llvm::raw_ostream &Out, const Input &Subject,
                     const TextStyle &Style);

void writeDiffTerminal(llvm::raw_ostream &Out, const DiffInput &About,
                       const TextStyle &Style);
void writeDiffMarkdown(llvm::raw_ostream &Out, const DiffInput &About,
                       const TextStyle &Style);
/// Schema autoprof-diff/1 (docs/json.md).
void writeDiffJson(llvm::raw_ostream &Out, const DiffInput &About,
                   const TextStyle &Style);
void writeDiffHtml(llvm::raw_ostream &Out, const DiffInput &About,
                   const TextStyle &Style);

void writeRanksTerminal(llvm::raw_ostream &Out, const RanksInput &About,
                        const TextStyle &Style);
void writeRanksMarkdown(llvm::raw_ostream &Out, const RanksInput &About,
                        const TextStyle &Style);
/// Schema autoprof-ranks/1 (docs/json.md).
void writeRanksJson(llvm::raw_ostream &Out, const RanksInput &About,
                    const TextStyle &Style);

inline constexpr Format<Input> ReportFormats[] = {
    {"terminal", writeReportTerminal},
    {"markdown", writeReportMarkdown},
    {"json", writeReportJson},
    {"html", writeReportHtml, /*IsPage=*/true}};

inline constexpr Format<DiffInput> DiffFormats[] = {
    {"terminal", writeDiffTerminal},
    {"markdown", writeDiffMarkdown},
    {"json", writeDiffJson},
    {"html", writeDiffHtml, /*IsPage=*/true}};

inline constexpr Format<RanksInput> RanksFormats[] = {
    {"terminal", writeRanksTerminal},
    {"markdown", writeRanksMarkdown},
    {"json", writeRanksJson}};

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_FORMATS_H
