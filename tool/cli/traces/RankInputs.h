// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The processes of a run as the user names them: traces, summaries, folders.
#pragma once

#include "cli/traces/Analysed.h"
#include "report/recording/Ranks.h"

namespace autoprof::cli {

/// Whether a path means several processes: a folder, or a file of summaries.
bool holdsRanks(llvm::StringRef Path);

/// Folders are replaced by the summaries in them or, where there are none, by
/// the traces. An error names a folder that has neither.
llvm::Expected<std::vector<std::string>>
expandFolders(llvm::ArrayRef<std::string> Paths);

/// Reads and compares all; what cannot be read is put into `Bad`.
analysis::Ranks readRanks(llvm::ArrayRef<std::string> Paths,
                          const StepChoice &Step,
                          const catalogue::Semantics *Measured,
                          std::vector<report::Unreadable> &Bad);

} // namespace autoprof::cli
