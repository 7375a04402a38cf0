// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX ranges in the domain "autoprof", so that any NVTX tool shows the sites,
// and the same ranges as ROCTX where AMD's library is in the process.
#ifndef AUTOPROF_RUNTIME_PROBES_NVTX_H
#define AUTOPROF_RUNTIME_PROBES_NVTX_H

#include <cstdint>

namespace autoprof::runtime {

/// Loads the NVTX tool named in the environment, if there is one, and finds
/// ROCTX. Returns whether a tool listens. Thread-safe; to be called
/// before the other functions.
bool startNvtx();

/// Opens a range on this thread, named by the site's label. A loop's range has
/// the iteration, counted from 1 within the ranges around it, as its payload: a
/// number in the name would keep tools from aggregating the iterations.
/// Thread-safe.
void pushNvtx(uint64_t Id);

/// Opens a range with this name on this thread. Thread-safe.
void pushNvtx(const char *Text);

/// Closes this thread's innermost range. Thread-safe.
void popNvtx();

/// Sets a mark. Thread-safe; no effect if no tool listens.
void markNvtx(const char *Text);

/// Closes the range that the last call opened, on whichever thread, and opens
/// another. Thread-safe; no effect if no tool listens.
void stepNvtx(const char *Text);

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_PROBES_NVTX_H
