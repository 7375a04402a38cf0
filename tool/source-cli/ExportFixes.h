// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exports fixes in the format of clang-apply-replacements.
#ifndef AUTOPROF_SOURCE_CLI_EXPORTFIXES_H
#define AUTOPROF_SOURCE_CLI_EXPORTFIXES_H

#include "report/audit/Audit.h"

#include "llvm/Support/Error.h"

namespace autoprof::sources {

/// Writes all findings as YAML, with replacements for those that have fixes.
llvm::Error exportFixes(const report::Audit &A, llvm::StringRef Path);

} // namespace autoprof::sources

#endif // AUTOPROF_SOURCE_CLI_EXPORTFIXES_H
