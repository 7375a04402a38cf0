// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_CLI_VERSION_H
#define AUTOPROF_CLI_VERSION_H

#include "llvm/Support/raw_ostream.h"

namespace autoprof::cli {

/// `autoprof --version`: two lines.
void printVersion(llvm::raw_ostream &OS);

/// "13.0" of CUDA's and CUPTI's 13000.
std::string cudaVersionText(int Version);

} // namespace autoprof::cli

#endif // AUTOPROF_CLI_VERSION_H
