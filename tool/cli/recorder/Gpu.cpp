// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/recorder/Gpu.h"

#include <dlfcn.h>

using namespace autoprof;
using namespace autoprof::cli;

namespace {

/// Compiled by the driver; the target is in front of it.
constexpr char Kernels[] = R"(.address_size 64
.visible .entry autoprof_empty() { ret; }
.visible .entry autoprof_wait(.param .u64 ns) {
  .reg .pred %early;
  .reg .u64 %limit, %start, %now;
  ld.param.u64 %limit, [ns];
  mov.u64 %start, %globaltimer;
LOOP:
  mov.u64 %now, %globaltimer;
  sub.u64 %now, %now, %start;
  setp.lt.u64 %early, %now, %limit;
  @%early bra LOOP;
  ret;
}
)";

/// The first failure of a call; "": none.
std::string &failure() {
  static std::string Text;
  return Text;
}

llvm::Error because(const llvm::Twine &Prefix) {
  return llvm::createStringError(Prefix + llvm::toString(firstFailure()));
}

llvm::Error loadKernels(Gpu &G) {
  CUmodule Module = nullptr;
  // CUDA 13 no longer takes code for sm_50, and older GPUs not that for sm_75.
  for (const char *Target : {"sm_75", "sm_50"}) {
    failure().clear();
    const std::string Ptx =
        std::string(".version 6.3\n.target ") + Target + "\n" + Kernels;
    CALL(cuModuleLoadData)(&Module, Ptx.c_str());
    if (failure().empty())
      break;
  }
  CALL(cuModuleGetFunction)(&G.Empty, Module, "autoprof_empty");
  CALL(cuModuleGetFunction)(&G.Waits, Module, "autoprof_wait");
  if (!failure().empty())
    return because("cannot load kernels: ");
  return llvm::Error::success();
}

} // namespace

void *cli::findFunction(const char *Name) { return dlsym(RTLD_DEFAULT, Name); }

void cli::noteFailure(const char *Name, int Status) {
  if (!failure().empty())
    return;
  const char *Text = nullptr;
  if (void *Function = findFunction("cuGetErrorName"))
    reinterpret_cast<decltype(&cuGetErrorName)>(Function)(CUresult(Status),
                                                          &Text);
  failure() = std::string(Name) + ": " +
              (Text ? Text : "status " + std::to_string(Status));
}

llvm::Error cli::firstFailure() {
  return failure().empty() ? llvm::Error::success()
                           : llvm::createStringError(failure());
}

llvm::Error Gpu::open(int GpuIndex) {
  if (!dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL))
    return llvm::createStringError(
        llvm::Twine("no NVIDIA driver on this machine: ") + dlerror());
  CALL(cuInit)(0);
  if (!failure().empty())
    return because("the NVIDIA driver finds no GPU that it can use: ");
  CALL(cuDriverGetVersion)(&Cuda);
  CALL(cuDeviceGetCount)(&Count);
  if (GpuIndex >= Count)
    return llvm::createStringError("there is no GPU " + llvm::Twine(GpuIndex) +
                                   "; this machine has " + llvm::Twine(Count) +
                                   ", counted from 0");
  CUcontext Context = nullptr;
  CALL(cuDevicePrimaryCtxRetain)(&Context, GpuIndex);
  CALL(cuCtxSetCurrent)(Context);
  CALL(cuStreamCreate)(&Stream, CU_STREAM_NON_BLOCKING);
  if (!failure().empty())
    return because("cannot use GPU " + llvm::Twine(GpuIndex) + ": ");
  return loadKernels(*this);
}

CUresult Gpu::launchEmpty() const {
  return CALL(cuLaunchKernel)(Empty, 1, 1, 1, 1, 1, 1, 0, Stream, nullptr,
                              nullptr);
}
