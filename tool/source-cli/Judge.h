// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_SOURCE_CLI_JUDGE_H
#define AUTOPROF_SOURCE_CLI_JUDGE_H

#include "audit/Selection.h"
#include "report/audit/Audit.h"
#include "source-cli/Ratchet.h"

namespace autoprof::sources {

/// What the rules find in the project, and the result for each finding: it is
/// reported, silenced, accepted, or not selected. `Files`: as they were read,
/// with absolute paths. `Root`: of the project, where nothing marks it.
llvm::Expected<report::Audit> judge(const audit::Project &P,
                                    audit::Selection &S, const Ratchet &Known,
                                    llvm::StringRef Root,
                                    std::vector<report::AuditFile> Files);

} // namespace autoprof::sources

#endif // AUTOPROF_SOURCE_CLI_JUDGE_H
