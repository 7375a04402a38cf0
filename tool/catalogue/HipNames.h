// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HIP's API is CUDA's with other names. What the audit knows of a call beyond
// the catalogue (which parameter is the stream, what advice fits) it knows
// under CUDA's name; what a call waits for is in HIP's own rows, because there
// the two differ.
#ifndef AUTOPROF_CATALOGUE_HIPNAMES_H
#define AUTOPROF_CATALOGUE_HIPNAMES_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace autoprof::catalogue {

/// "cudaMemcpyAsync" for "hipMemcpyAsync", "cuMemcpyHtoD" for "hipMemcpyHtoD",
/// "cublasCreate" for "hipblasCreate". The name itself if it is not HIP's, or
/// has no counterpart of the same meaning. Thread-safe.
llvm::StringRef cudaName(llvm::StringRef Name);

/// `Text` with HIP's names in the place of CUDA's: of "cudaMallocHost(&p, n)",
/// "hipHostMalloc(&p, n)".
std::string inHipNames(llvm::StringRef Text);

} // namespace autoprof::catalogue

#endif // AUTOPROF_CATALOGUE_HIPNAMES_H
