// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formats of reports about recordings: those of every document, and JSON.
#pragma once

#include "report/document/Renderings.h"
#include "report/recording/Ranks.h"
#include "report/recording/Sections.h"

namespace autoprof::report {

/// Schema autoprof-report/1 (docs/json.md).
void writeReportJson(llvm::raw_ostream &Out, const Input &Subject,
                     const TextStyle &Style);
/// Schema autoprof-diff/1 (docs/json.md).
void writeDiffJson(llvm::raw_ostream &Out, const DiffInput &About,
                   const TextStyle &Style);
/// Schema autoprof-ranks/1 (docs/json.md).
void writeRanksJson(llvm::raw_ostream &Out, const RanksInput &About,
                    const TextStyle &Style);

inline constexpr auto ReportFormats =
    formatsOf<reportDocument>(Format<Input>{"json", writeReportJson});
inline constexpr auto DiffFormats =
    formatsOf<diffDocument>(Format<DiffInput>{"json", writeDiffJson});
inline constexpr auto RanksFormats =
    formatsOf<ranksDocument>(Format<RanksInput>{"json", writeRanksJson});

} // namespace autoprof::report
