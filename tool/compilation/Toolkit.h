// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the headers that nvcc would use.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace autoprof::sources {

/// <folder> for the compiler <folder>/bin/nvcc, a path or a name in PATH, with
/// links resolved; "" if there is none.
std::string folderOf(llvm::StringRef Compiler);

/// The folder of the toolkit to which `Nvcc` belongs, a path or a name in PATH;
/// otherwise the one that CUDA_HOME or CUDA_PATH name; otherwise
/// /usr/local/cuda; otherwise NVIDIA's packages from PyPI in the active Python
/// environment: `nvidia/cu13` for CUDA 13, `nvidia/cuda_runtime` for CUDA 12.
/// An error lists these places and names the variable to set.
llvm::Expected<std::string> findToolkit(llvm::StringRef Nvcc);

/// Include folders besides <Toolkit>/include: each of NVIDIA's packages for
/// CUDA 12 has its own. Empty for other toolkits.
std::vector<std::string> moreIncludes(llvm::StringRef Toolkit);

} // namespace autoprof::sources
