// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the driver that do not wait. What each does to the program:
//
// * A synchronization is left out: the host goes on, and may read what the GPU
//   has not written yet.
// * A copy to the host goes to a buffer of ours; the program gets what an
//   earlier copy at that place brought, and of the first ones their own value.
//   Or, with Place::Late 0, it is not made: the program gets the first value.
// * A copy from pageable memory of the host is made from a copy of it in pinned
//   memory. The program gets what it would have got.
// * Memory that is freed stays allocated; the next allocation of the same size
//   gets it, while the GPU may still use it. If there is none left, all of it
//   is freed first.
// * Pools keep what is freed (their release threshold is raised).
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

Changed changeSynchronization();
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
