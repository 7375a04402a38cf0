// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_AUDIT_WALK_LOOPKINDS_H
#define AUTOPROF_AUDIT_WALK_LOOPKINDS_H

#include "audit/Finding.h"

namespace autoprof::audit {

/// Test, Benchmark or Example by the names of folders and of the file; else
/// Work. The path is relative to the project's root.
/// Whether a function with this name prepares something: a constructor,
/// "Solver::initFields", "setup_grid".
bool setsUp(llvm::StringRef Function);
LoopKind kindByPlace(llvm::StringRef Path);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_WALK_LOOPKINDS_H
