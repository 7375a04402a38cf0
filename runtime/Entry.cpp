// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The doors of the library: its constructor, and the function that the CUDA
// driver looks up in the library named by CUDA_INJECTION64_PATH.
#include "Recorder.h"

/// Called by the driver while it initialises CUDA. Never refuses: the program
/// runs on whatever the runtime can or cannot record.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  autoprof::runtime::onCudaInitialization();
  return 1;
}

__attribute__((constructor)) static void loadRuntime() {
  autoprof::runtime::onLoad();
}
