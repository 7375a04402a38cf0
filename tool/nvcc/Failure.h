// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides whether probes may have caused a failed compilation. Compiling again
// without probes takes as long as the first time, so it is done only if they
// may be the cause.
#ifndef AUTOPROF_NVCC_FAILURE_H
#define AUTOPROF_NVCC_FAILURE_H

#include "llvm/ADT/StringRef.h"

namespace autoprof::sources {

/// Whether the command that failed with these messages could succeed without
/// probes. Returns false if every error is about text without probes: it is in
/// a line that the user wrote unchanged, or comes from a linker, or from a
/// compiler of device code. Returns true if that is not certain. `List` is the
/// list that the preloaded library read (nvcc/Substitute.cpp); relative paths
/// start at this process's folder.
bool mayBeFaultOfProbes(llvm::StringRef Messages, llvm::StringRef List);

} // namespace autoprof::sources

#endif // AUTOPROF_NVCC_FAILURE_H
