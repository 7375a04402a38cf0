// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/SubCommands.h"

#include "Revision.inc"

#include "llvm/Config/llvm-config.h"

#include <cuda.h>
#include <cupti_version.h>

using namespace autoprof;

std::string cli::cudaVersionText(int Version) {
  return std::to_string(Version / 1000) + "." +
         std::to_string(Version % 1000 / 10);
}

void cli::printVersion(llvm::raw_ostream &OS) {
  const llvm::StringRef Commit = AUTOPROF_COMMIT, Date = AUTOPROF_COMMIT_DATE;
  OS << "autoprof " AUTOPROF_VERSION;
  if (!Commit.empty())
    OS << " (" << Commit << ", " << Date << ")";
  OS << "\nbuilt with LLVM " LLVM_VERSION_STRING ", CUDA "
     << cudaVersionText(CUDA_VERSION) << ", CUPTI API " << CUPTI_API_VERSION
     << '\n';
}
