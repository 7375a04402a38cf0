// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `autoprof audit --prices=TRACE`, the part that reads traces: each becomes a
// report in JSON, which bin/autoprof-source joins with its findings.
#ifndef AUTOPROF_CLI_AUDITPRICES_H
#define AUTOPROF_CLI_AUDITPRICES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace autoprof::cli {

/// The arguments of `audit` for bin/autoprof-source: each --prices names a
/// report, those made here in memory that the child inherits; without --step,
/// which is about traces. An error is one sentence.
llvm::Expected<std::vector<std::string>>
priceArguments(llvm::ArrayRef<llvm::StringRef> Args);

} // namespace autoprof::cli

#endif // AUTOPROF_CLI_AUDITPRICES_H
