// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The doors of the library: its constructor, the functions that the CUDA
// driver and NVTX look up in the library named by CUDA_INJECTION64_PATH and by
// NVTX_INJECTION64_PATH, and the one that the Python package looks up.
#include "runtime/Loading.h"

/// Called by the driver while it initialises CUDA. Never refuses: the program
/// runs on whatever the runtime can or cannot record.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  autoprof::runtime::onCudaInitialization();
  return 1;
}

/// Called by each module that uses NVTX, at its first NVTX call. 0: its calls
/// shall do nothing.
extern "C" __attribute__((visibility("default"))) int
// NVTX's name. NOLINTNEXTLINE(readability-identifier-naming)
InitializeInjectionNvtx2(const void *(*GetExportTable)(uint32_t)) {
  return autoprof::runtime::onNvtxInitialization(GetExportTable);
}

/// The API of autoprof/autoprof.h for programs that no compiler makes:
/// `Request` is an autoprof_request. 0 if this process is not recorded.
extern "C" __attribute__((visibility("default"))) int
// A name of the C ABI. NOLINTNEXTLINE(readability-identifier-naming)
autoprof_control_v1(int Request, const char *Name) {
  return autoprof::runtime::onRequest(Request, Name);
}

__attribute__((constructor)) static void loadRuntime() {
  autoprof::runtime::onLoad();
}
