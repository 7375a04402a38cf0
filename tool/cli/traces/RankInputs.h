// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The processes of a run as the user names them: traces and folders.
#ifndef AUTOPROF_CLI_TRACES_RANKINPUTS_H
#define AUTOPROF_CLI_TRACES_RANKINPUTS_H

#include "cli/traces/Analysed.h"
#include "report/recording/Ranks.h"

namespace autoprof::cli {

/// Folders are replaced by the traces in them. An error names a folder that has
/// none.
llvm::Expected<std::vector<std::string>>
expandFolders(llvm::ArrayRef<std::string> Paths);

/// Reads and compares all; what cannot be read is put into `Bad`.
analysis::Ranks readRanks(llvm::ArrayRef<std::string> Paths,
                          const StepChoice &Step,
                          const catalogue::Semantics *Measured,
                          std::vector<report::Unreadable> &Bad);

} // namespace autoprof::cli

#endif // AUTOPROF_CLI_TRACES_RANKINPUTS_H
