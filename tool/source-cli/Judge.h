// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "audit/Selection.h"
#include "report/audit/Audit.h"
#include "source-cli/Ratchet.h"

namespace autoprof::sources {

/// Runs the rules on the project and determines the result for each finding: it
/// is reported, silenced, accepted, or not selected. `Files` are the files that
/// were read, with absolute paths. `Root` is the project's root if nothing
/// marks it.
llvm::Expected<report::Audit> judge(const audit::Project &P,
                                    audit::Selection &S, Ratchet &Known,
                                    llvm::StringRef Root,
                                    std::vector<report::AuditFile> Files);

} // namespace autoprof::sources
