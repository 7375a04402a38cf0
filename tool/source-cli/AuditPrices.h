// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `autoprof audit --prices`: what recordings measured, for the findings.
#ifndef AUTOPROF_SOURCE_CLI_AUDITPRICES_H
#define AUTOPROF_SOURCE_CLI_AUDITPRICES_H

#include "report/audit/Audit.h"
#include "support/Command.h"

namespace autoprof::sources {

/// The reports in JSON that --prices names; bin/autoprof has made them of
/// traces. An error names the file.
llvm::Expected<std::vector<prices::Prices>>
readPrices(const support::Arguments &Options);

/// Joins them with the findings and sorts these, unless the user wants the
/// order of the source. Nothing happens without recordings.
void addPrices(report::Audit &A, std::vector<prices::Prices> Recordings);

} // namespace autoprof::sources

#endif // AUTOPROF_SOURCE_CLI_AUDITPRICES_H
