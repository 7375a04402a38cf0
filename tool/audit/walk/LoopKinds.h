// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_AUDIT_WALK_LOOPKINDS_H
#define AUTOPROF_AUDIT_WALK_LOOPKINDS_H

#include "audit/Finding.h"

namespace autoprof::audit {

/// Whether the name says that the function prepares something: "init",
/// "Solver::initFields", "setup_grid".
bool setsUp(llvm::StringRef Function);

/// Test, Benchmark or Example by the names of folders and of the file; else
/// Work. The path is relative to the project's root.
LoopKind kindByPlace(llvm::StringRef Path);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_WALK_LOOPKINDS_H
