// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the headers that nvcc would use.
#ifndef AUTOPROF_COMPILATION_TOOLKIT_H
#define AUTOPROF_COMPILATION_TOOLKIT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace autoprof::sources {

/// The folder of the toolkit to which `Nvcc` belongs, a path or a name in PATH;
/// else the one that CUDA_HOME or CUDA_PATH name; else /usr/local/cuda. An
/// error names what to set.
llvm::Expected<std::string> findToolkit(llvm::StringRef Nvcc);

} // namespace autoprof::sources

#endif // AUTOPROF_COMPILATION_TOOLKIT_H
