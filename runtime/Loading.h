// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ways into a process, from where a recording is started; the essay is in
// Recorder.cpp.
#ifndef AUTOPROF_RUNTIME_LOADING_H
#define AUTOPROF_RUNTIME_LOADING_H

#include <cstdint>

namespace autoprof::runtime {

/// When the library is loaded: reads the environment and switches on the
/// probes of the modules that are there.
void onLoad();

/// When the driver initialises CUDA in this process (InitializeInjection).
void onCudaInitialization();

/// When a module's NVTX looks for a tool (UserNvtx.h). False: not now.
bool onNvtxInitialization(const void *(*GetExportTable)(uint32_t));

/// When a Python program calls the API: `Request` is an autoprof_request, or of
/// a later version. Returns what the API returns.
int onRequest(int Request, const char *Name);

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_LOADING_H
