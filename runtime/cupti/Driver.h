// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver of this process, if there is one: only looked at, never
// loaded or initialised from here.
#ifndef AUTOPROF_RUNTIME_CUPTI_DRIVER_H
#define AUTOPROF_RUNTIME_CUPTI_DRIVER_H

#include <cstdint>
#include <string>

namespace autoprof::runtime {

/// How far CUDA has come in this process.
enum class CudaState {
  NoDriver,       ///< libcuda.so.1 is not loaded.
  NotInitialized, ///< cuInit was not called, or failed.
  NoDevice,       ///< It found no GPU.
  Ready,
  Ended, ///< It was ready; the process ends.
  Unknown
};

/// Asks the driver (cuDeviceGetCount, which initialises nothing). Thread-safe.
CudaState cudaState();

/// cuDriverGetVersion, as 13000; 0: unknown.
uint32_t driverVersion();

/// The PCI bus id of a device as "0000:1b:00.0", or "" if unknown.
std::string deviceAddress(uint32_t Device);

/// Waits until the GPU has done all work of this thread's context. Streams that
/// are being captured are left alone. False: there is no context, or the driver
/// refused to wait.
bool waitForGpu();

/// A function of the driver; null: it has none of that name.
void *driverSymbol(const char *Name);

/// Whether the dynamic linker would find libcuda.so.1 if the program asked.
bool isDriverInstalled();

/// Whether a debugger or tracer is attached to this process.
bool isTraced();

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_CUPTI_DRIVER_H
