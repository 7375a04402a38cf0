// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HIP sources: the options that hipcc adds to clang's command, and the place of
// HIP's headers.
#ifndef AUTOPROF_COMPILATION_HIPARGS_H
#define AUTOPROF_COMPILATION_HIPARGS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace autoprof::sources {

/// The arguments of a hipcc command (without its name) as clang takes them for
/// `File`: with its language, and the folder of ROCm. That is the one that the
/// command names, otherwise ROCM_PATH or HIP_PATH, otherwise the one of
/// `Hipcc`, otherwise /opt/rocm or /usr. An error names the variable to set.
llvm::Expected<std::vector<std::string>>
argsOfHipcc(llvm::StringRef Hipcc, llvm::ArrayRef<std::string> Args,
            llvm::StringRef File);

} // namespace autoprof::sources

#endif // AUTOPROF_COMPILATION_HIPARGS_H
