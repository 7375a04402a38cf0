// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instrumented modules of this process: finds the notes described in
// include/autoprof/probe.h, reads their site tables and switches their probes
// on.
#pragma once

#include "autoprof/probe.h"
#include "runtime/support/ForkLock.h"

#include <string>
#include <vector>

namespace autoprof::runtime {

/// Looks at the modules loaded since the last call and stores `Hooks` into each
/// that is instrumented. Costs almost nothing if none was loaded. Returns the
/// number of newly found instrumented modules. Thread-safe.
unsigned scanModules(const autoprof_hooks &Hooks);

/// The tables (rows of AP_TABLE) found since the last call, one string for
/// each module. Thread-safe.
std::vector<std::string> takeNewTables();

/// Adds a table of the runtime's own to these.
void addTable(std::string Rows);

/// For fork handlers: a scan that another thread is running would leave the
/// child with the dynamic linker's lock held forever.
ForkMutex &scanMutex();

} // namespace autoprof::runtime
