// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cupti/Missing.h"

#include "runtime/cupti/Driver.h"

#include <dlfcn.h>

namespace autoprof::runtime {

static bool hasRuntimeLibrary() {
  return dlopen("libcudart.so.13", RTLD_NOW | RTLD_NOLOAD) ||
         dlopen("libcudart.so.12", RTLD_NOW | RTLD_NOLOAD);
}

// CUPTI is on, so nothing is missing unless cuInit failed after it called us.
static const char *explainOn(const Attempt &Done) {
  if (Done.WasReady)
    return "";
  CudaState State = cudaState();
  return State == CudaState::NoDevice || State == CudaState::NotInitialized
             ? "CUDA found no usable GPU"
             : "";
}

static const char *explainOff(const Attempt &Done) {
  switch (cudaState()) {
  case CudaState::NoDevice:
    return "CUDA found no usable GPU";
  case CudaState::NotInitialized:
    return Done.Recorded ? "CUDA was not initialized in this process" : "";
  case CudaState::Ready:
  case CudaState::Ended:
    return isTraced() ? "a debugger keeps the CUDA driver from loading the "
                        "recorder"
                      : "the CUDA driver did not load the recorder (was "
                        "CUDA_INJECTION64_PATH changed?)";
  case CudaState::NoDriver:
    // Many programs are built with CUDA but do not use it in this process. If a
    // driver is installed, the program did not need it.
    if (!isDriverInstalled() &&
        (Done.Recorded || Done.Instrumented || hasRuntimeLibrary()))
      return "no CUDA driver (libcuda.so.1) was found";
    return Done.Recorded
               ? "the CUDA driver (libcuda.so.1) is not in this process"
               : "";
  case CudaState::Unknown:
    break;
  }
  return "";
}

// If the recording began, the status was reported then.
static std::string explainBusy(const Attempt &Done) {
  if (Done.Recorded)
    return "";
  CudaState State = cudaState();
  return State == CudaState::Ready || State == CudaState::Ended
             ? Done.Cupti.Reason
             : "";
}

std::string explainMissingCuda(const Attempt &Done) {
  switch (Done.Cupti.State) {
  case CuptiState::Ok:
    return explainOn(Done);
  case CuptiState::Off:
    return explainOff(Done);
  case CuptiState::Busy:
    return explainBusy(Done);
  case CuptiState::Missing:
  case CuptiState::Refused:
    break;
  }
  return "";
}

} // namespace autoprof::runtime
