// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's own NVTX calls, and those of the libraries in it. Each module
// that uses NVTX carries NVTX's header-only implementation, which on its first
// call opens the library that NVTX_INJECTION64_PATH names and gives it the
// table of its entry points (nvtxDetail/nvtxInit.h).
#pragma once

#include "runtime/probes/Probes.h"
#include "runtime/support/ForkLock.h"

#include <cstdint>
#include <string>

namespace autoprof::runtime {

/// To be called when a module's NVTX looks for a tool; `GetExportTable` is its
/// NvtxGetExportTableFunc_t. Puts our functions into the module's table.
/// Returns false if the module is this library's own NVTX (ranges for other
/// tools), or its NVTX is of another version; the module's calls then do
/// nothing.
bool listenToNvtx(const void *(*GetExportTable)(uint32_t));

/// Records the ends of a range as if the program had called NVTX.
uint32_t newNvtxRangeId();
void recordNvtxStart(const char *Text, uint32_t RangeId);
void recordNvtxEnd(uint32_t RangeId);

/// The name of a domain; "" for 0, which means no domain.
std::string nvtxDomainName(uint32_t Domain);

/// For fork handlers: another thread may be naming something.
ForkMutex &nvtxNamesMutex();

} // namespace autoprof::runtime
