// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `autoprof calibrate` measured, for people and programs.
#ifndef AUTOPROF_REPORT_CATALOGUE_CALIBRATION_H
#define AUTOPROF_REPORT_CATALOGUE_CALIBRATION_H

#include "catalogue/Semantics.h"
#include "report/document/Renderings.h"

namespace autoprof::report {

Document calibrationDocument(const catalogue::Semantics &S,
                             const TextStyle &Style);
/// Schema autoprof-semantics/1 (docs/json.md).
void writeCalibrationJson(llvm::raw_ostream &Out, const catalogue::Semantics &S,
                          const TextStyle &Style);

inline constexpr Format<catalogue::Semantics> CalibrationFormats[] = {
    {"terminal", as<calibrationDocument, renderTerminal>},
    {"markdown", as<calibrationDocument, renderMarkdown>},
    {"json", writeCalibrationJson}};

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_CATALOGUE_CALIBRATION_H
