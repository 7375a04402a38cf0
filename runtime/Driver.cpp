// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Driver.h"

#include <cstdio>
#include <cuda.h>
#include <dlfcn.h>
#include <unistd.h>

namespace autoprof::runtime {

template <typename Function> static Function driverFunction(const char *Name) {
  void *Driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  return reinterpret_cast<Function>(Driver ? dlsym(Driver, Name) : nullptr);
}

CudaState cudaState() {
  using GetCount = CUresult (*)(int *);
  auto Get = driverFunction<GetCount>("cuDeviceGetCount");
  if (!Get)
    return CudaState::NoDriver;
  int Count = 0;
  switch (Get(&Count)) {
  case CUDA_SUCCESS:
    return Count > 0 ? CudaState::Ready : CudaState::NoDevice;
  case CUDA_ERROR_NO_DEVICE:
    return CudaState::NoDevice;
  case CUDA_ERROR_NOT_INITIALIZED:
    return CudaState::NotInitialized;
  case CUDA_ERROR_DEINITIALIZED:
    return CudaState::Ended;
  default:
    return CudaState::Unknown;
  }
}

uint32_t driverVersion() {
  using GetVersion = CUresult (*)(int *);
  auto Get = driverFunction<GetVersion>("cuDriverGetVersion");
  int Version = 0;
  return Get && Get(&Version) == CUDA_SUCCESS ? static_cast<uint32_t>(Version)
                                              : 0;
}

std::string deviceAddress(uint32_t Device) {
  using GetId = CUresult (*)(char *, int, CUdevice);
  auto Get = driverFunction<GetId>("cuDeviceGetPCIBusId");
  char Text[32] = "";
  if (!Get ||
      Get(Text, sizeof Text, static_cast<CUdevice>(Device)) != CUDA_SUCCESS)
    return "";
  return Text;
}

bool hasKernelDriver() {
  return access("/proc/driver/nvidia/version", F_OK) == 0 ||
         access("/dev/dxg", F_OK) == 0;
}

bool isTraced() {
  unsigned Tracer = 0;
  if (FILE *File = fopen("/proc/self/status", "re")) {
    char Line[256];
    while (fgets(Line, sizeof Line, File) &&
           sscanf(Line, "TracerPid: %u", &Tracer) != 1)
      ;
    fclose(File);
  }
  return Tracer != 0;
}

} // namespace autoprof::runtime
