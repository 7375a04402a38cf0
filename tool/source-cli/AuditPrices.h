// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `autoprof audit --prices`: adds measurements of recordings to findings.
#ifndef AUTOPROF_SOURCE_CLI_AUDITPRICES_H
#define AUTOPROF_SOURCE_CLI_AUDITPRICES_H

#include "report/audit/Audit.h"
#include "support/Command.h"

namespace autoprof::sources {

/// Reads the JSON reports that --prices names, which bin/autoprof has made from
/// traces. An error names the file.
llvm::Expected<std::vector<prices::Prices>>
readPrices(const support::Arguments &Options);

/// Joins them with the findings and sorts the findings, unless the user wants
/// them in the order of the source. Does nothing without recordings.
void addPrices(report::Audit &A, std::vector<prices::Prices> Recordings);

} // namespace autoprof::sources

#endif // AUTOPROF_SOURCE_CLI_AUDITPRICES_H
