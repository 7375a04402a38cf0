// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the headers that nvcc would use.
#ifndef AUTOPROF_COMPILATION_TOOLKIT_H
#define AUTOPROF_COMPILATION_TOOLKIT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace autoprof::sources {

/// The folder of the toolkit to which `Nvcc` belongs, a path or a name in
/// PATH; else the one that CUDA_HOME or CUDA_PATH name; else /usr/local/cuda;
/// else NVIDIA's packages from PyPI in the active Python environment: of CUDA
/// 13 `nvidia/cu13`, of CUDA 12 `nvidia/cuda_runtime`. An error names the
/// places and says what to set.
llvm::Expected<std::string> findToolkit(llvm::StringRef Nvcc);

/// Include folders besides <Toolkit>/include: each of NVIDIA's packages for
/// CUDA 12 has its own. Empty for other toolkits.
std::vector<std::string> moreIncludes(llvm::StringRef Toolkit);

} // namespace autoprof::sources

#endif // AUTOPROF_COMPILATION_TOOLKIT_H
