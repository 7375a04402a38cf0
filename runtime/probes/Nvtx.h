// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX ranges in the domain "autoprof", so that any NVTX tool shows the sites.
#pragma once

#include <cstdint>

namespace autoprof::runtime {

/// Loads the NVTX tool named in the environment, if there is one. Returns
/// whether a tool listens. Thread-safe; to be called before the other
/// functions.
bool startNvtx();

/// Opens a range on this thread, named by the site's label. Thread-safe.
void pushNvtx(uint64_t Id);

/// Closes this thread's innermost range. Thread-safe.
void popNvtx();

/// Closes the range that the last call opened, on whichever thread, and opens
/// another. Thread-safe; no effect if no tool listens.
void stepNvtx(const char *Text);

} // namespace autoprof::runtime
