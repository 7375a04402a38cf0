// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What makes sources that were written for nvcc readable by clang.
#ifndef AUTOPROF_DRIVER_PRELUDE_H
#define AUTOPROF_DRIVER_PRELUDE_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace autoprof::driver {

/// The options that nvcc adds to every command of its host compiler, and, for
/// CUDA, those that bring the prelude.
void appendPreludeArgs(std::vector<std::string> &Args, llvm::StringRef Toolkit,
                       bool IsCuda);

} // namespace autoprof::driver

#endif // AUTOPROF_DRIVER_PRELUDE_H
