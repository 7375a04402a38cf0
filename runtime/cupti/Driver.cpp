// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cupti/Driver.h"

#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <dlfcn.h>
#include <unistd.h>

namespace autoprof::runtime {

void *driverSymbol(const char *Name) {
  void *Driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  return Driver ? dlsym(Driver, Name) : nullptr;
}

template <typename Function> static Function driverFunction(const char *Name) {
  return reinterpret_cast<Function>(driverSymbol(Name));
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

bool waitForGpu() {
  using GetCurrent = CUresult (*)(CUcontext *);
  using ExchangeMode = CUresult (*)(CUstreamCaptureMode *);
  using Synchronize = CUresult (*)();
  auto Current = driverFunction<GetCurrent>("cuCtxGetCurrent");
  auto Exchange =
      driverFunction<ExchangeMode>("cuThreadExchangeStreamCaptureMode");
  auto Wait = driverFunction<Synchronize>("cuCtxSynchronize");
  CUcontext Context = nullptr;
  if (!Current || !Exchange || !Wait || Current(&Context) != CUDA_SUCCESS ||
      !Context)
    return false;
  // Without this, the wait would invalidate a capture in strict mode.
  CUstreamCaptureMode Mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  if (Exchange(&Mode) != CUDA_SUCCESS)
    return false;
  const bool IsIdle = Wait() == CUDA_SUCCESS;
  Exchange(&Mode);
  return IsIdle;
}

// Looks in the folders of the dynamic linker, including LD_LIBRARY_PATH.
static bool isInSearchPath(const std::string &Library) {
  void *Program = dlopen(nullptr, RTLD_NOW | RTLD_NOLOAD);
  Dl_serinfo Size;
  if (!Program || dlinfo(Program, RTLD_DI_SERINFOSIZE, &Size) != 0)
    return false;
  auto *Paths = static_cast<Dl_serinfo *>(calloc(1, Size.dls_size));
  bool Found = false;
  if (Paths && dlinfo(Program, RTLD_DI_SERINFOSIZE, Paths) == 0 &&
      dlinfo(Program, RTLD_DI_SERINFO, Paths) == 0)
    for (unsigned I = 0; I < Paths->dls_cnt && !Found; ++I)
      Found = access((Paths->dls_serpath[I].dls_name + ("/" + Library)).c_str(),
                     F_OK) == 0;
  free(Paths);
  return Found;
}

// Looks in the cache that ldconfig made of other folders: a table of
// null-terminated names.
static bool isInCache(const std::string &Library) {
  FILE *File = fopen("/etc/ld.so.cache", "re");
  if (!File)
    return false;
  std::string Cache;
  char Buffer[16384];
  while (size_t Size = fread(Buffer, 1, sizeof Buffer, File))
    Cache.append(Buffer, Size);
  fclose(File);
  return Cache.find(std::string(1, '\0') + Library + '\0') != std::string::npos;
}

bool isDriverInstalled() {
  return isInSearchPath("libcuda.so.1") || isInCache("libcuda.so.1");
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
