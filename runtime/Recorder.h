// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The life of the runtime in a process; the essay is in Recorder.cpp.
#ifndef AUTOPROF_RUNTIME_RECORDER_H
#define AUTOPROF_RUNTIME_RECORDER_H

namespace autoprof::runtime {

/// When the library is loaded: reads the environment and switches on the
/// probes of the modules that are there.
void onLoad();

/// When the driver initialises CUDA in this process (InitializeInjection).
void onCudaInitialization();

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_RECORDER_H
