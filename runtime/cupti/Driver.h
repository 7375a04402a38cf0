// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver of this process, if there is one. It is only queried, never
// loaded or initialised from here.
#pragma once

#include <cstdint>
#include <string>

namespace autoprof::runtime {

/// The state of CUDA in this process.
enum class CudaState {
  NoDriver,       ///< libcuda.so.1 is not loaded.
  NotInitialized, ///< cuInit was not called, or failed.
  NoDevice,       ///< CUDA found no GPU.
  Ready,
  Ended, ///< CUDA was ready, and the process is ending.
  Unknown
};

/// Asks the driver (cuDeviceGetCount, which initialises nothing). Thread-safe.
CudaState cudaState();

/// cuDriverGetVersion, as 13000; 0: unknown.
uint32_t driverVersion();

/// Waits until the GPU has finished all work of this thread's context. Streams
/// that are being captured are not affected. Returns false if there is no
/// context, or the driver refused to wait.
bool waitForGpu();

/// CPU time of a call that sets four bytes of GPU memory, a small operation,
/// ns; 0: not known. Makes a few hundred of these calls in the context of this
/// thread, on a stream of its own, for 3 ms, or longer while other processes
/// have the CPU; the GPU should be idle. Errors do not affect the program.
uint64_t measureLaunchCost();

/// Returns a function of the driver; null if it has none of that name.
void *driverSymbol(const char *Name);

/// Whether the dynamic linker would find libcuda.so.1 if the program loaded it.
bool isDriverInstalled();

/// Whether a debugger or tracer is attached to this process.
bool isTraced();

} // namespace autoprof::runtime
