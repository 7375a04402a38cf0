// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/recorder/Gpu.h"

#include <cstdlib>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <glob.h>
#include <vector>

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

/// Where toolkits and the packages of pip put the CUDA runtime; patterns of
/// glob.
std::vector<std::string> runtimeFolders() {
  std::vector<std::string> Result;
  for (const char *Variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *Value = std::getenv(Variable); Value && *Value)
      Result.push_back(std::string(Value) + "/lib*/");
  Result.emplace_back("/usr/local/cuda/lib*/");
  Result.emplace_back("/usr/local/cuda-*/lib64/");
  for (const char *Variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const char *Value = std::getenv(Variable); Value && *Value)
      Result.push_back(std::string(Value) + "/lib/python3*/*/nvidia/*/lib/");
  Result.emplace_back("/usr/local/lib/python3*/*/nvidia/*/lib/");
  Result.emplace_back("/usr/lib/python3*/*/nvidia/*/lib/");
  return Result;
}

bool openLibrary(const std::string &File) {
  return dlopen(File.c_str(), RTLD_NOW | RTLD_GLOBAL);
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
  // The runtime's numbers are the driver's.
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
  if (!openLibrary("libcuda.so.1"))
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
  Index = GpuIndex;
  CUcontext Context = nullptr;
  CALL(cuDevicePrimaryCtxRetain)(&Context, Index);
  CALL(cuCtxSetCurrent)(Context);
  CALL(cuStreamCreate)(&Stream, CU_STREAM_NON_BLOCKING);
  if (!failure().empty())
    return because("cannot use GPU " + llvm::Twine(Index) + ": ");
  return loadKernels(*this);
}

bool Gpu::openRuntime() const {
  for (int Major : {13, 12}) {
    // One that is newer than the driver finds no GPU.
    if (Major * 1000 > Cuda)
      continue;
    const std::string File = "libcudart.so." + std::to_string(Major);
    bool IsOpen = openLibrary(File);
    for (const std::string &Folder : runtimeFolders()) {
      glob_t Found{};
      if (!IsOpen && glob((Folder + File).c_str(), 0, nullptr, &Found) == 0)
        for (size_t I = 0; I < Found.gl_pathc && !IsOpen; ++I)
          IsOpen = openLibrary(Found.gl_pathv[I]);
      globfree(&Found);
    }
    if (IsOpen)
      return CALL(cudaSetDevice)(Index) == cudaSuccess;
  }
  return false;
}

CUresult Gpu::launchEmpty() const {
  return CALL(cuLaunchKernel)(Empty, 1, 1, 1, 1, 1, 1, 0, Stream, nullptr,
                              nullptr);
}
