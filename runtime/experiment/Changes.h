// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the driver that do not wait (docs/try.md, "What is tried"). The
// first copies to the host of each turn bring their own value. Memory that is
// kept may be given out while the GPU still uses it; if there is none left, all
// of it is freed first.
//
// Each function returns nothing if the call is to be made as it is: it is in
// no place that is to be changed, or cannot be changed (another context, a
// stream that is captured, no pinned memory).
#pragma once

#include "runtime/experiment/Driver.h"

#include <cstddef>
#include <optional>

namespace autoprof::runtime {

using Changed = std::optional<CUresult>;

/// `OfDevice`: it waits for all streams.
Changed changeSynchronization(bool OfDevice);
/// The calling thread launches on this stream.
void noteLaunch(CUstream Stream);
Changed changeCopyToHost(void *To, CUdeviceptr From, size_t Size,
                         CUstream Stream);
Changed changeCopyFromHost(CUdeviceptr To, const void *From, size_t Size,
                           CUstream Stream);
Changed changeFree(CUdeviceptr Memory);
/// Memory that changeFree() kept.
Changed reuse(CUdeviceptr *Memory, size_t Size);
/// Frees what changeFree() kept. Returns whether there was any.
bool freeKept();
/// To be called before memory comes from a pool, if hasPools().
void setPool();

} // namespace autoprof::runtime
