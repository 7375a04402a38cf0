// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_REPORT_RECORDING_REPORTDOCUMENT_H
#define AUTOPROF_REPORT_RECORDING_REPORTDOCUMENT_H

#include "report/document/Document.h"
#include "report/recording/Report.h"

namespace autoprof::report {

/// They refer to their subjects, which have to live as long.
Document reportDocument(const Input &Subject, const TextStyle &Style);
Document diffDocument(const DiffInput &About, const TextStyle &Style);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_REPORTDOCUMENT_H
