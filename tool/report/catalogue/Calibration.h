// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `autoprof calibrate` measured, for people: a table by library, and the
// differences from the built-in table. As JSON: writeSemantics.
#ifndef AUTOPROF_REPORT_CATALOGUE_CALIBRATION_H
#define AUTOPROF_REPORT_CATALOGUE_CALIBRATION_H

#include "catalogue/Semantics.h"
#include "report/recording/Report.h"

namespace autoprof::report {

/// An observation, and what it shows.
struct CalibrationRow {
  const catalogue::Observation *O;
  std::optional<catalogue::Verdict> Says;
  bool Differs; ///< From the built-in table.
};
/// The observations of one call are adjacent.
struct CalibrationGroup {
  llvm::StringRef Library; ///< Title; "" of calls not in the catalogue.
  std::vector<CalibrationRow> Rows;
};
/// Libraries and calls in the order in which they were measured; calls that are
/// not in the catalogue last.
std::vector<CalibrationGroup> byLibrary(const catalogue::Semantics &S);

/// Sentences about machine and run.
std::vector<std::string> aboutCalibration(const catalogue::Semantics &S);
/// Copy rates and pauses of the machine, sentences; empty: not measured.
std::vector<std::string> machineConstants(const catalogue::Semantics &S);
/// "CALL, ARGUMENTS: why", of cases with errors.
std::vector<std::string> notMeasured(const catalogue::Semantics &S);
/// "NCCL: why"
std::vector<std::string> skippedLibraries(const catalogue::Semantics &S);
/// "stream", "device", "no", "slow", "?"
llvm::StringRef verdictWord(const std::optional<catalogue::Verdict> &Says);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_CATALOGUE_CALIBRATION_H
