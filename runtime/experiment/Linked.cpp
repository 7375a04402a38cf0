// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For programs that are linked with libcuda.so: their calls go to the first
// library that has the function, which is this one. Hooks.cpp has what the
// functions do.
#include "runtime/experiment/Driver.h"
#include "runtime/experiment/Hooks.h"

using namespace autoprof::runtime;

#define LINKED(Symbol, Parameters, Arguments)                                  \
  extern "C"                                                                   \
      __attribute__((visibility("default"))) CUresult Symbol Parameters {      \
    static const auto Function =                                               \
        reinterpret_cast<CUresult(*) Parameters>(changedInDriver(#Symbol));    \
    return Function ? Function Arguments : CUDA_ERROR_NOT_FOUND;               \
  }
/// With the form for threads' own streams.
#define BOTH(Symbol, End, Parameters, Arguments)                               \
  LINKED(Symbol, Parameters, Arguments)                                        \
  LINKED(Symbol##End, Parameters, Arguments)

// The driver's names. NOLINTBEGIN(readability-identifier-naming)
#undef cuGetProcAddress
BOTH(cuStreamSynchronize, _ptsz, (CUstream S), (S))
LINKED(cuEventSynchronize, (CUevent E), (E))
LINKED(cuCtxSynchronize, (), ())
LINKED(cuCtxSynchronize_v2, (CUcontext C), (C))
BOTH(cuMemcpyDtoH_v2, _ptds, (void *To, CUdeviceptr From, size_t Size),
     (To, From, Size))
BOTH(cuMemcpyDtoHAsync_v2, _ptsz,
     (void *To, CUdeviceptr From, size_t Size, CUstream S), (To, From, Size, S))
BOTH(cuMemcpyHtoD_v2, _ptds, (CUdeviceptr To, const void *From, size_t Size),
     (To, From, Size))
BOTH(cuMemcpyHtoDAsync_v2, _ptsz,
     (CUdeviceptr To, const void *From, size_t Size, CUstream S),
     (To, From, Size, S))
LINKED(cuMemFree_v2, (CUdeviceptr Memory), (Memory))
LINKED(cuMemAlloc_v2, (CUdeviceptr * Memory, size_t Size), (Memory, Size))
BOTH(cuMemAllocAsync, _ptsz, (CUdeviceptr * Memory, size_t Size, CUstream S),
     (Memory, Size, S))
BOTH(cuMemAllocFromPoolAsync, _ptsz,
     (CUdeviceptr * Memory, size_t Size, CUmemoryPool Pool, CUstream S),
     (Memory, Size, Pool, S))
BOTH(cuLaunchKernel, _ptsz,
     (CUfunction F, unsigned GridX, unsigned GridY, unsigned GridZ,
      unsigned BlockX, unsigned BlockY, unsigned BlockZ, unsigned Shared,
      CUstream S, void **Parameters, void **Extra),
     (F, GridX, GridY, GridZ, BlockX, BlockY, BlockZ, Shared, S, Parameters,
      Extra))
BOTH(cuLaunchKernelEx, _ptsz,
     (const CUlaunchConfig *C, CUfunction F, void **Parameters, void **Extra),
     (C, F, Parameters, Extra))
BOTH(cuLaunchCooperativeKernel, _ptsz,
     (CUfunction F, unsigned GridX, unsigned GridY, unsigned GridZ,
      unsigned BlockX, unsigned BlockY, unsigned BlockZ, unsigned Shared,
      CUstream S, void **Parameters),
     (F, GridX, GridY, GridZ, BlockX, BlockY, BlockZ, Shared, S, Parameters))
BOTH(cuGraphLaunch, _ptsz, (CUgraphExec G, CUstream S), (G, S))
LINKED(cuGetProcAddress_v2,
       (const char *Name, void **Found, int Version, cuuint64_t Flags,
        CUdriverProcAddressQueryResult *Status),
       (Name, Found, Version, Flags, Status))
// NOLINTEND(readability-identifier-naming)
