// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry points of the library: its constructor, the functions that the CUDA
// driver and NVTX look up in the library named by CUDA_INJECTION64_PATH and by
// NVTX_INJECTION64_PATH, and the function that the Python package looks up.
#include "runtime/Loading.h"

/// Called by the driver while it initialises CUDA. Always succeeds: the program
/// runs whether or not the runtime can record it.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  autoprof::runtime::onCudaInitialization();
  return 1;
}

/// Called by each module that uses NVTX, at its first NVTX call. Returns 0 if
/// the module's NVTX calls are to do nothing.
extern "C" __attribute__((visibility("default"))) int
// The name is NVTX's. NOLINTNEXTLINE(readability-identifier-naming)
InitializeInjectionNvtx2(const void *(*GetExportTable)(uint32_t)) {
  return autoprof::runtime::onNvtxInitialization(GetExportTable);
}

/// The API of autoprof/autoprof.h for programs that are not compiled, such as
/// Python scripts: `Request` is an autoprof_request. Returns 0 if this process
/// is not recorded.
extern "C" __attribute__((visibility("default"))) int
// The name is part of the C ABI. NOLINTNEXTLINE(readability-identifier-naming)
autoprof_control_v1(int Request) {
  return autoprof::runtime::onRequest(Request);
}

__attribute__((constructor)) static void loadRuntime() {
  autoprof::runtime::onLoad();
}
