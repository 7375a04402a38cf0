// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HIP's API is CUDA's under other names. What the audit knows about a call
// beyond the catalogue (which parameter is the stream, which advice fits) is
// keyed by the CUDA name; what a call waits for is in HIP's own rows, because
// that differs.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace autoprof::catalogue {

/// "cudaMemcpyAsync" for "hipMemcpyAsync", "cuMemcpyHtoD" for "hipMemcpyHtoD",
/// "cublasCreate" for "hipblasCreate". The name itself if it is not HIP's or
/// has no CUDA counterpart of the same meaning. Thread-safe.
llvm::StringRef cudaName(llvm::StringRef Name);

/// `Text` with CUDA's names replaced by HIP's: "hipHostMalloc(&p, n)" for
/// "cudaMallocHost(&p, n)".
std::string inHipNames(llvm::StringRef Text);

} // namespace autoprof::catalogue
