// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ways in which this library enters a process and a recording starts;
// Recorder.cpp has the overview.
#pragma once

#include <cstdint>

namespace autoprof::runtime {

/// Called when the library is loaded: reads the environment and switches on the
/// probes of the modules that are already loaded.
void onLoad();

/// Called when the driver initialises CUDA in this process
/// (InitializeInjection).
void onCudaInitialization();

/// Called when a module's NVTX looks for a tool (UserNvtx.h). Returns false if
/// its calls are not to be recorded.
bool onNvtxInitialization(const void *(*GetExportTable)(uint32_t));

/// Called when a Python program uses the API. `Request` is an autoprof_request;
/// values of later versions are ignored. Returns what the API function returns.
int onRequest(int Request);

} // namespace autoprof::runtime
