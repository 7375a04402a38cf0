// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_REPORT_RECORDING_DIFFDOCUMENT_H
#define AUTOPROF_REPORT_RECORDING_DIFFDOCUMENT_H

#include "report/document/Document.h"
#include "report/recording/Report.h"

namespace autoprof::report {

/// Refers to `About`, which has to live as long.
Document diffDocument(const DiffInput &About, const TextStyle &Style);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_DIFFDOCUMENT_H
